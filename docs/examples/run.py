#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""An hour of a rig from Python, through ctypes: no binding to build, only the shared library.

    python3 run.py RIG.xml [PARTS-FOLDER]      WATTSINK_LIB=/path/to/libwattsink.so where it is in no usual place
"""
import ctypes
import json
import os
import sys
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p


class RigOptions(ctypes.Structure):  # wsk_rig_options
    _fields_ = [("path", c_char_p), ("text", c_char_p), ("text_len", c_size_t), ("parts_dir", c_char_p),
                ("extra_parts_dir", c_char_p), ("data_dir", c_char_p), ("prices", c_char_p),
                ("sets", POINTER(c_char_p)), ("set_count", c_size_t), ("exchanges", POINTER(c_char_p)),
                ("exchange_count", c_size_t), ("files_of", c_void_p)]


class RunOptions(ctypes.Structure):  # wsk_run_options
    _fields_ = [("duration_s", c_double), ("step_s", c_double), ("stepper", c_int), ("seed", c_uint64),
                ("leap", c_bool), ("stride", c_bool), ("no_series", c_bool)]


lib = ctypes.CDLL(os.environ.get("WATTSINK_LIB", "libwattsink.so.0"))
lib.wsk_status_text.restype = c_char_p
lib.wsk_rig_load.argtypes = [POINTER(c_void_p), POINTER(RigOptions)]
lib.wsk_rig_messages.argtypes = [c_void_p]
lib.wsk_rig_messages.restype = c_size_t
lib.wsk_rig_message.argtypes = [c_void_p, c_size_t, POINTER(c_int), POINTER(c_char_p), POINTER(c_int), POINTER(c_int),
                                POINTER(c_char_p)]
lib.wsk_rig_free.argtypes = [c_void_p]
lib.wsk_run_new.argtypes = [POINTER(c_void_p), c_void_p, POINTER(RunOptions)]
lib.wsk_run_free.argtypes = [c_void_p]
lib.wsk_run_advance.argtypes = [c_void_p, c_double]
lib.wsk_run_get.argtypes = [c_void_p, c_char_p, POINTER(c_double)]
lib.wsk_run_error.argtypes = [c_void_p]
lib.wsk_run_error.restype = c_char_p
lib.wsk_run_summary_json.argtypes = [c_void_p, c_double, POINTER(c_void_p)]
lib.wsk_text_free.argtypes = [c_void_p]


def check(status, text=b""):
    if status != 0:
        raise RuntimeError((text or lib.wsk_status_text(status)).decode())


def load(path, parts=None):
    """The rig, or an error with all that is wrong with it. Free it with wsk_rig_free."""
    rig = c_void_p()
    status = lib.wsk_rig_load(byref(rig), byref(RigOptions(path=os.fsencode(path), parts_dir=parts and os.fsencode(parts))))
    if status == 0:
        return rig
    lines = []
    for i in range(lib.wsk_rig_messages(rig)):
        severity, line, column, file, text = c_int(), c_int(), c_int(), c_char_p(), c_char_p()
        lib.wsk_rig_message(rig, i, byref(severity), byref(file), byref(line), byref(column), byref(text))
        if severity.value == 0:
            place = [os.fsdecode(file.value)] if file.value else []
            place += [str(line.value), str(column.value)] if line.value else []
            lines.append(":".join(place) + ": " * bool(place) + text.value.decode())
    lib.wsk_rig_free(rig)
    raise RuntimeError("\n".join(lines) or lib.wsk_status_text(status).decode())


def get(run, name):
    value = c_double()
    check(lib.wsk_run_get(run, name.encode(), byref(value)), ("no variable " + name).encode())
    return value.value


def summary(run):
    text = c_void_p()  # not c_char_p: that one would be copied, and the text itself never freed
    check(lib.wsk_run_summary_json(run, 0, byref(text)))
    try:
        return json.loads(ctypes.string_at(text))
    finally:
        lib.wsk_text_free(text)


def main(path, parts=None):
    rig = load(path, parts)
    run = c_void_p()
    try:
        check(lib.wsk_run_new(byref(run), rig, byref(RunOptions(duration_s=3600))))
        for minute in range(10, 61, 10):
            check(lib.wsk_run_advance(run, 60 * minute), lib.wsk_run_error(run))
            print("%3d min  die %.1f degC  wall %.1f W" % (minute, get(run, "gpu0.die_c"), get(run, "wall_w")))
        print("%.3f kWh at the wall" % summary(run)["energy"]["wall_kwh"])
    finally:
        lib.wsk_run_free(run)  # before the rig, which it refers to
        lib.wsk_rig_free(rig)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: run.py RIG.xml [PARTS-FOLDER]")
    try:
        main(*sys.argv[1:3])
    except RuntimeError as error:
        sys.exit(str(error))
