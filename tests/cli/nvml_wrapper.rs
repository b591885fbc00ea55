// SPDX-License-Identifier: GPL-3.0-or-later
// What nvml-wrapper reads of each card, for nvml_clients.sh: index, power in mW, degrees, MHz, limit in mW, processes, name.
// Then it sets the first card's limit.
use nvml_wrapper::enum_wrappers::device::{Clock, TemperatureSensor};
use nvml_wrapper::Nvml;

fn main() -> Result<(), nvml_wrapper::error::NvmlError> {
    let nvml = Nvml::init()?;
    for index in 0..nvml.device_count()? {
        let card = nvml.device_by_index(index)?;
        println!(
            "{} {} {} {} {} {} {}",
            index,
            card.power_usage()?,
            card.temperature(TemperatureSensor::Gpu)?,
            card.clock_info(Clock::Graphics)?,
            card.power_management_limit()?,
            card.running_compute_processes()?.len(),
            card.name()?
        );
    }
    let mut first = nvml.device_by_index(0)?;
    first.set_power_management_limit(200_000)?;
    println!("set {}", first.power_management_limit()?);
    Ok(())
}
