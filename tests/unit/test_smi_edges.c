/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `wattsink smi` at its edges: classes of cards without a capture, readings that a card does not report, wrong options,
 * and each answer that a twin may give to a setting. */
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "tests/support/smi.h"

static void check_fields(const wsk_twin_moment *m, const char *fields, const char *expected)
{
    char query[512];
    int code;
    snprintf(query, sizeof query, "--query-gpu=%s", fields);
    char *text = SMI_SAYS(m, &code, query, "--format=csv,noheader");
    assert_int_equal(code, 0);
    assert_string_equal(text, expected);
    free(text);
}

/* ---- classes of cards ---- */

typedef struct {
    int arch, cc_major, cc_minor, ecc, ecc_off;
    const char *part;
} class_of_card;

static wsk_twin_moment *card_of(const class_of_card *class)
{
    wsk_twin_moment *m = one_card("gpu/h100-sxm");
    wsk_twin_fixed *f = &m->card[0].fixed;
    f->arch = class->arch, f->cc_major = class->cc_major, f->cc_minor = class->cc_minor;
    f->ecc = class->ecc, f->ecc_off = class->ecc_off;
    snprintf(f->part, sizeof f->part, "%s", class->part);
    return m;
}

static void classes_without_a_capture(void **state)
{
    (void)state;
    /* MIG mode: A100, and data-centre cards since Hopper; fabric state: only modules of the latter. Retired pages:
     * cards with ECC before Ampere; remapped rows: those since. */
    static const char fields[] = "mig.mode.current,fabric.state,ecc.mode.current,retired_pages.sbe,"
                                 "remapped_rows.pending,power.draw.average,gsp.mode.current,compute_cap";
    static const struct {
        class_of_card class;
        const char *expected;
    } cards[] = {
        {{WSK_ARCH_AMPERE, 8, 0, 1, 0, "gpu/a100-pcie"}, "Disabled, N/A, Enabled, [N/A], No, [N/A], Enabled, 8.0\n"},
        {{WSK_ARCH_AMPERE, 8, 6, 0, 1, "gpu/a6000"}, "[N/A], N/A, Disabled, [N/A], No, 251.25 W, Enabled, 8.6\n"},
        {{WSK_ARCH_VOLTA, 7, 0, 1, 0, "gpu/v100"}, "[N/A], N/A, Enabled, 0, [N/A], [N/A], Disabled, 7.0\n"},
        {{WSK_ARCH_HOPPER, 9, 0, 1, 0, "gpu/h100-pcie"},
         "Disabled, N/A, Enabled, [N/A], No, 251.25 W, Enabled, 9.0\n"},
        {{WSK_ARCH_BLACKWELL, 10, 0, 1, 0, "gpu/b200"},
         "Disabled, Completed, Enabled, [N/A], No, 251.25 W, Enabled, 10.0\n"},
        {{WSK_ARCH_BLACKWELL, 12, 0, 1, 0, "gpu/rtx-pro-6000"},
         "[N/A], N/A, Enabled, [N/A], No, 251.25 W, Enabled, 12.0\n"},
        {{WSK_ARCH_HOPPER, 9, 0, 0, 1, "gpu/h100-sxm"}, "[N/A], N/A, Disabled, [N/A], No, 251.25 W, Enabled, 9.0\n"},
        {{0, 0, 0, 0, 0, "gpu/other"}, "[N/A], N/A, [N/A], [N/A], [N/A], [N/A], Disabled, [N/A]\n"},
    };
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        wsk_twin_moment *m = card_of(&cards[i].class);
        check_fields(m, fields, cards[i].expected);
        free(m);
    }
}

static void objects_of_the_inforom(void **state)
{
    (void)state;
    static const struct {
        class_of_card class;
        const char *architecture, *oem, *ecc;
    } cards[] = {
        {{WSK_ARCH_TURING, 7, 5, 1, 0, "gpu/t4"}, "Turing\n", ": 1.1\n", ": 5.0\n"},
        {{WSK_ARCH_AMPERE, 8, 6, 1, 0, "gpu/a40"}, "Ampere\n", ": 2.0\n", ": 6.16\n"},
        {{WSK_ARCH_ADA, 8, 9, 0, 0, "gpu/rtx-4090"}, "Ada Lovelace\n", ": 2.0\n", ": N/A\n"},
        {{WSK_ARCH_HOPPER, 9, 0, 1, 0, "gpu/h100-sxm"}, "Hopper\n", ": 2.1\n", ": 7.16\n"},
        {{WSK_ARCH_BLACKWELL, 10, 0, 1, 0, "gpu/b200"}, "Blackwell\n", ": N/A\n", ": N/A\n"},
        {{WSK_ARCH_BLACKWELL + 1, 13, 0, 0, 0, "gpu/next"}, "N/A\n", ": N/A\n", ": N/A\n"},
    };
    for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
        wsk_twin_moment *m = card_of(&cards[i].class);
        int code;
        m->card[0].fixed.brand = i ? (int32_t)i : 99; /* a brand that is not in the table */
        char *text = SMI_SAYS(m, &code, "-q");
        assert_int_equal(code, 0);
        const char *row = strstr(text, "Product Architecture"), *oem = strstr(text, "OEM Object"),
                   *ecc = strstr(text, "ECC Object");
        assert_non_null(row);
        assert_non_null(oem);
        assert_non_null(ecc);
        assert_non_null(strstr(strchr(row, ':'), cards[i].architecture));
        assert_ptr_equal(strstr(strchr(row, ':'), cards[i].architecture), strchr(row, ':') + 2);
        assert_ptr_equal(strstr(oem, cards[i].oem), strchr(oem, ':'));
        assert_ptr_equal(strstr(ecc, cards[i].ecc), strchr(ecc, ':'));
        if (i == 0)
            check_line(text, "Product Brand                                      : Unknown\n");
        free(text);
        free(m);
    }
}

/* ---- readings that a card does not report ---- */

static void set_unreported(wsk_twin_card *c)
{
    wsk_twin_fixed *f = &c->fixed;
    wsk_twin_now *n = &c->now;
    f->clock_step_mhz = 0, f->pcie_lanes = 0, f->pcie_gen = 0, f->memory_bytes = 0, f->bus_bits = 0;
    f->target_c = f->slowdown_c = f->shutdown_c = f->memory_max_c = WSK_TWIN_NONE;
    f->limit_min_mw = f->limit_default_mw = f->limit_max_mw = WSK_TWIN_NONE;
    n->power_mw = n->power_mean_mw = n->power_instant_mw = n->limit_mw = n->enforced_limit_mw = WSK_TWIN_NONE;
    n->die_c = n->memory_c = n->pcie_tx_kbs = n->pcie_rx_kbs = WSK_TWIN_NONE;
    n->gpu_percent = n->memory_percent = n->encoder_percent = n->decoder_percent = WSK_TWIN_NONE;
    n->fan_percent[0] = WSK_TWIN_NONE;
    n->pstate = -1;
    n->pcie_lanes_now = 0;
    n->process[0].pid = 0;
    snprintf(f->bus_id, sizeof f->bus_id, "00010000:01:00.0");
}

static void unreported_values_are_marked(void **state)
{
    (void)state;
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    int code;
    set_unreported(&m->card[0]);
    check_fields(m,
                 "power.draw,power.limit,temperature.gpu,fan.speed,pstate,memory.free,pcie.link.width.max,"
                 "utilization.gpu",
                 "[N/A], [N/A], [N/A], [N/A], [N/A], [N/A], 0, [N/A]\n");
    char *text = SMI_SAYS(m, &code, "dmon", "-s", "put", "-c", "1");
    assert_int_equal(code, 0);
    check_line(text, "\n    0      -      -      -      -      -      -      -      0      0      -      - \n");
    free(text);
    text = SMI_SAYS(m, &code, "pmon", "-c", "1");
    check_line(text, "\n    0          -     -      -      -      -      -      -      -    -              \n");
    free(text);
    text = SMI_SAYS(m, &code, "-q");
    check_line(text, "    Processes                                          : None\n");
    check_line(text, "        Instantaneous Power Draw                       : N/A\n");
    free(text);
    text = SMI_SAYS(m, &code, "-i", "0");
    assert_null(strstr(text, "P-"));
    free(text);
    text = SMI_SAYS(m, &code, "-q", "-x");
    check_line(text, "\t\t<supported_clocks>N/A</supported_clocks>\n");
    check_line(text, "<max_link_width>N/A</max_link_width>\n");
    free(text);
    m->card[0].now.pstate = 8;
    text = SMI_SAYS(m, &code, NULL);
    check_line(text, "No running processes found");
    check_line(text,
               "\n| N/A   N/A    P8             N/A /   N/A |    5000MiB /      0MiB |     N/A      Default |\n");
    free(text);
    /* with each of the four numbers that the list of clocks needs missing, there is no list */
    for (int i = 0; i < 4; i++) {
        smi_card(&m->card[0], "gpu/rtx-3090", 0);
        wsk_twin_fixed *f = &m->card[0].fixed;
        *(int32_t *[]){&f->memory_clock_max_mhz, &f->clock_max_mhz, &f->clock_min_mhz, &f->clock_step_mhz}[i] = 0;
        text = SMI_SAYS(m, &code, "-q", "-d", "SUPPORTED_CLOCKS");
        check_line(text, "    Supported Clocks                                   : N/A\n");
        free(text);
    }
    free(m);
}

static void names_are_escaped_in_xml(void **state)
{
    (void)state;
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    int code;
    snprintf(m->card[0].now.process[0].name, WSK_TWIN_NAME, "a<b>&c");
    char *text = SMI_SAYS(m, &code, "-q", "-x");
    check_line(text, "<process_name>a&lt;b&gt;&amp;c</process_name>");
    free(text);
    free(m);
}

/* ---- processes, help, a lost card ---- */

static void processes_are_listed(void **state)
{
    (void)state;
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    int code;
    m->card[0].now.process[2] = (wsk_twin_process){.name = "idle", .pid = 4194401, .memory_bytes = 1 << 20};
    char *text = SMI_SAYS(m, &code, "--query-compute-apps=pid,process_name,used_memory,gpu_name", "--format=csv");
    assert_int_equal(code, 0);
    assert_string_equal(text, "pid, process_name, used_gpu_memory [MiB], gpu_name\n"
                              "4194400, training, 4096 MiB, NVIDIA GeForce RTX 3090\n"
                              "4194401, idle, 1 MiB, NVIDIA GeForce RTX 3090\n");
    free(text);
    text = SMI_SAYS(m, &code, "--query-compute-apps=used_memory, pid,", "--format=noheader,csv,nounits");
    assert_string_equal(text, "4096, 4194400\n1, 4194401\n");
    free(text);
    text = SMI_SAYS(m, &code, "--query-compute-apps=used_memory", "--format=csv, noheader, nounits");
    assert_string_equal(text, "4096\n1\n");
    free(text);
    text = SMI_SAYS(m, &code, "pmon", "-c", "1", "-o", "DT");
    check_line(text, "#Date        Time         gpu         pid   type     sm");
    check_line(text, " 20261123    12:00:00       0    4194401     C      -      -");
    free(text);
    text = SMI_SAYS(m, &code, "pmon", "-d", "2", "-c", "1"); /* for pmon as for dmon, -d is a delay */
    assert_int_equal(code, 0);
    assert_string_equal(text,
                        "# gpu         pid   type     sm    mem    enc    dec    jpg    ofa    command \n"
                        "# Idx           #    C/G      %      %      %      %      %      %    name \n"
                        "    0    4194400     C     97      -      -      -      -      -    training       \n"
                        "    0    4194401     C      -      -      -      -      -      -    idle           \n");
    free(text);
    text = SMI_SAYS(m, &code, "-q", "-d", "PIDS");
    check_line(text, "            Name                          : idle\n");
    free(text);
    assert_int_equal(CODE_OF(m, "--query-compute-apps=nothing", "--format=csv"), 2);
    assert_int_equal(CODE_OF(m, "--query-compute-apps=pid", "--format=text"), 2);
    assert_int_equal(CODE_OF(m, "--query-compute-apps=pid"), 2);
    assert_int_equal(CODE_OF(m, "--help-query-compute-apps"), 0);
    assert_int_equal(CODE_OF(m, "--help"), 0);
    free(m);
}

static void a_lost_card_is_told_by_each_command(void **state)
{
    (void)state;
    static const char *const commands[][3] = {{"-L"}, {"-q"}, {"-q", "-x"}, {"dmon", "-c", "1"}, {"pmon", "-c", "1"},
                                              {NULL}};
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    m->card[0].now.lost = 1;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        int code;
        char *text = SMI_SAYS(m, &code, commands[i][0], commands[i][1], commands[i][2]);
        assert_int_equal(code, 15);
        check_line(text, "Unable to determine the device handle for GPU0000:01:00.0: GPU is lost\n");
        assert_null(strstr(text, "training"));
        free(text);
    }
    snprintf(m->card[0].fixed.bus_id, sizeof m->card[0].fixed.bus_id, "00010000:01:00.0");
    int code;
    char *text = SMI_SAYS(m, &code, "-L"); /* a PCI domain of more than four digits is printed whole */
    assert_string_equal(text, "Unable to determine the device handle for GPU00010000:01:00.0: GPU is lost\n");
    free(text);
    free(m);
}

/* ---- options ---- */

static void wrong_options_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][4] = {{"--list-gpus=1"},
                                           {"-L", "-i"},
                                           {"--id="},
                                           {"--loop=", "-L"},
                                           {"-d", "POWER"},
                                           {"-q", "-d", ","},
                                           {"-q", "-d", "POWER,WATTS"},
                                           {"-l", "2e6"},
                                           {"-l", "1x"},
                                           {"-c", "x"},
                                           {"-c", "2x"},
                                           {"-c", "1e10"},
                                           {"--query-gpu=, ,", "--format=csv"},
                                           {"--query-gpu=name", "--format=csvx"},
                                           {"--query-gpu=name", "--format=csv,bogus"},
                                           {"--query-gpu=name", "--format=csv noheaders"},
                                           {"--query-gpu=name", "--format= ,"},
                                           {"--query-gpu=name", "--format=noheader"}};
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (code_of(m, wrong[i]) != 2)
            fail_msg("'%s %s' is not refused", wrong[i][0], wrong[i][1] ? wrong[i][1] : "");
    int code;
    char *text = SMI_SAYS(m, &code, "dmon", "-s", "px", "-c", "1");
    assert_int_equal(code, 2);
    free(text);
    text = SMI_SAYS(m, &code, "dmon", "-s", "m", "-d", "2", "-c", "1"); /* for dmon, -d is a delay */
    assert_int_equal(code, 0);
    assert_string_equal(text,
                        "# gpu     fb   bar1   ccpm \n# Idx     MB     MB     MB \n    0   5000      0      0 \n");
    free(text);
    free(m);
}

static void files_that_cannot_be_written(void **state)
{
    (void)state;
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    assert_int_equal(CODE_OF(m, "-L", "-f", "/nowhere/out"), 255);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(CODE_OF(m, "-L", "-f", "/dev/full"), 255);
        assert_int_equal(CODE_OF(m, "-L", "-f", "/dev/full", "-l", "1"), 255);
    }
    free(m);
}

static void a_twin_that_ends_between_rounds_is_told(void **state)
{
    (void)state;
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    int code; /* the time of this twin stands still, so that the second round is never due */
    char *text = SMI_SAYS(m, &code, "-L", "-l", "1", "-c", "2");
    assert_int_equal(code, 9);
    check_line(text, "NVIDIA-SMI has failed: the twin has ended, or does not answer.\n");
    free(text);
    text = SMI_SAYS(m, &code, "-l", "-L"); /* without a number, -l is every 5 s */
    assert_int_equal(code, 9);
    free(text);
    text = SMI_SAYS(m, &code, "-L", "--loop");
    assert_int_equal(code, 9);
    free(text);
    const char *argv[] = {"smi", "--twin", "no/name"};
    assert_int_equal(wsk_cli_smi.run(3, (char **)(uintptr_t)argv), 9);
    free(m);
}

/* ---- settings ---- */

/* A socket that answers one request. */
typedef struct {
    int socket;
    const char *answer;
    char request[256];
} server;

static void *serve(void *data)
{
    server *s = data;
    const int client = accept(s->socket, NULL, NULL);
    size_t len = 0;
    while (len + 1 < sizeof s->request && !memchr(s->request, '\n', len)) {
        const ssize_t n = recv(client, s->request + len, sizeof s->request - 1 - len, 0);
        if (n <= 0)
            break;
        len += (size_t)n;
    }
    s->request[len] = '\0';
    (void)!send(client, s->answer, strlen(s->answer), MSG_NOSIGNAL);
    close(client);
    return NULL;
}

/* Exit code of `wattsink smi OPTION VALUE` when the twin gives `answer`; `request`: what it was asked. value may be
 * NULL. */
static int answered(wsk_twin_moment *m, const char *answer, const char *option, const char *value, char request[256])
{
    server s = {.socket = socket(AF_UNIX, SOCK_STREAM, 0), .answer = answer};
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    pthread_t thread;
    assert_true(s.socket >= 0);
    snprintf(to.sun_path, sizeof to.sun_path, "/tmp/wattsink-smi-%ld.socket", (long)getpid());
    snprintf(m->socket, sizeof m->socket, "%s", to.sun_path);
    unlink(to.sun_path);
    assert_int_equal(bind(s.socket, (struct sockaddr *)&to, sizeof to), 0);
    assert_int_equal(listen(s.socket, 1), 0);
    assert_int_equal(pthread_create(&thread, NULL, serve, &s), 0);
    const int code = CODE_OF(m, option, value);
    shutdown(s.socket, SHUT_RDWR); /* ends accept() if no request came */
    pthread_join(thread, NULL);
    close(s.socket);
    unlink(to.sun_path);
    snprintf(request, 256, "%s", s.request);
    return code;
}

static void each_answer_has_its_exit_code(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        int code;
    } answers[] = {{"{\"ok\": true, \"t_s\": 1}\n", 0},
                   {"{\"ok\": false, \"code\": \"read-only\"}\n", 4},
                   {"{\"ok\": false, \"code\": \"range\"}\n", 2},
                   {"{\"ok\": false, \"code\": \"unknown\"}\n", 3},
                   {"{\"ok\": false, \"code\": \"lost\"}\n", 15},
                   {"{\"ok\": false, \"code\": \"syntax\"}\n", 255},
                   {"{\"ok\": tr", 9}};
    static const struct {
        const char *option, *value, *request;
    } settings[] = {{"-pl", "200", "{\"do\": \"gpu0.power-limit set 200.000 W\"}\n"},
                    {"-lgc", "300,900", "{\"do\": \"gpu0.clock-lock set 300 MHz 900 MHz\"}\n"},
                    {"-lgc", "900", "{\"do\": \"gpu0.clock-lock set 900 MHz 900 MHz\"}\n"},
                    {"-lgc", "0,9999", "{\"do\": \"gpu0.clock-lock set 0 MHz 9999 MHz\"}\n"},
                    {"-rgc", NULL, "{\"do\": \"gpu0.clock-lock returns\"}\n"},
                    {"-lmc", "405,5001", "{\"do\": \"gpu0.memory-clock-lock set 5001 MHz\"}\n"},
                    {"-rmc", NULL, "{\"do\": \"gpu0.memory-clock-lock returns\"}\n"},
                    {"-pm", "0", "{\"do\": \"gpu0.persistence set off\"}\n"},
                    {"-pm", "DISABLED", "{\"do\": \"gpu0.persistence set off\"}\n"}};
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    char request[256];
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
        for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
            assert_int_equal(answered(m, answers[i].answer, settings[s].option, settings[s].value, request),
                             answers[i].code);
            assert_string_equal(request, settings[s].request);
        }
    m->card[0].now.persistence = 0;
    assert_int_equal(answered(m, answers[0].answer, "-pm", "ENABLED", request), 0);
    assert_string_equal(request, "{\"do\": \"gpu0.persistence set on\"}\n");
    assert_int_equal(answered(m, answers[1].answer, "-pm", "1", request), 4);
    /* of a card without a known range of power limits, the twin judges the value */
    m->card[0].fixed.limit_max_mw = WSK_TWIN_NONE;
    assert_int_equal(answered(m, answers[2].answer, "-pl", "5", request), 2);
    assert_string_equal(request, "{\"do\": \"gpu0.power-limit set 5.000 W\"}\n");
    m->card[0].fixed.limit_min_mw = WSK_TWIN_NONE;
    assert_int_equal(answered(m, answers[0].answer, "-pl", "5", request), 0);
    free(m);
}

static void settings_that_are_not_sent(void **state)
{
    (void)state;
    static const struct {
        const char *option, *value;
        int code;
    } settings[] = {{"-pl", "much", 2},   {"-pl", "200,300", 2}, {"-pl", "149.99", 2},   {"-pl", "400.01", 2},
                    {"-lgc", "fast", 2},  {"-lgc", "900,x", 2},  {"-lgc", "900,", 2},    {"-lgc", "900,300", 2},
                    {"-lgc", "-1", 2},    {"-lgc", "300x", 2},   {"-lgc", "1e6", 2},     {"-lgc", "9999,10000", 2},
                    {"-lgc", "0,200", 2}, {"-lmc", "fast", 2},   {"-lmc", "900,300", 2}, {"-pm", "2", 2},
                    {"-pm", "1", 0},      {"-pm", "ENABLED", 0}};
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    char request[256];
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        const int code = answered(m, "{\"ok\": true}\n", settings[i].option, settings[i].value, request);
        if (code != settings[i].code || *request)
            fail_msg("%s %s: exit %d, request '%s'", settings[i].option, settings[i].value, code, request);
    }
    m->card[0].now.persistence = 0;
    assert_int_equal(answered(m, "{\"ok\": true}\n", "-pm", "0", request), 0);
    assert_string_equal(request, "");
    m->card[0].now.lost = 1;
    assert_int_equal(answered(m, "{\"ok\": true}\n", "-pl", "200", request), 15);
    assert_string_equal(request, "");
    m->card[0].now.lost = 0;
    m->socket[0] = '\0';
    assert_int_equal(CODE_OF(m, "-pl", "200"), 9);
    free(m);
}

/* The first setting that fails ends the command, so that no later one is sent. */
static void a_failed_setting_ends_the_command(void **state)
{
    (void)state;
    wsk_twin_moment *m = one_card("gpu/rtx-3090");
    assert_int_equal(CODE_OF(m, "-pm", "2", "-pl", "200", "-lgc", "300", "-rgc", "-lmc", "405", "-rmc"), 2);
    assert_int_equal(CODE_OF(m, "-pm", "1", "-pl", "200", "-lgc", "300", "-rgc", "-lmc", "405", "-rmc"), 9);
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_without_a_capture),
        cmocka_unit_test(objects_of_the_inforom),
        cmocka_unit_test(unreported_values_are_marked),
        cmocka_unit_test(names_are_escaped_in_xml),
        cmocka_unit_test(processes_are_listed),
        cmocka_unit_test(a_lost_card_is_told_by_each_command),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(files_that_cannot_be_written),
        cmocka_unit_test(a_twin_that_ends_between_rounds_is_told),
        cmocka_unit_test(each_answer_has_its_exit_code),
        cmocka_unit_test(settings_that_are_not_sent),
        cmocka_unit_test(a_failed_setting_ends_the_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
