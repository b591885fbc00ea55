/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs in which a card has another index or address than in the rows before. */
#include "sim/log/log.h"
#include "tests/unit/log_text.h"

static void indices_change_places(void **state)
{
    (void)state;
    static const char *const heads[] = {"timestamp, index, uuid, power.draw [W]\n",
                                        "timestamp, index, pci.bus_id, power.draw [W]\n",
                                        "timestamp, uuid, index, pci.bus_id, power.draw [W]\n"};
    static const char *const ids[3][4] = {
        {"0, GPU-a", "1, GPU-b", "1, GPU-a", "0, GPU-b"},
        {"0, 0:41:00.0", "1, 0:61:00.0", "1, 0:41:00.0", "0, 0:61:00.0"},
        {"GPU-a, 0, 0:41:00.0", "GPU-b, 1, 0:61:00.0", "GPU-a, 1, 0:61:00.0", "GPU-b, 0, 0:41:00.0"}};
    for (size_t i = 0; i < 3; i++) {
        char text[1024];
        int line, column;
        (void)snprintf(text, sizeof text,
                       "%s2026/08/12 21:00:00, %s, 200 W\n2026/08/12 21:00:00, %s, 50 W\n"
                       "2026/08/12 21:30:00, %s, 60 W\n2026/08/12 21:30:00, %s, 210 W\n"
                       "2026/08/12 21:30:01, %s, 61 W\n2026/08/12 21:30:01, %s, 211 W\n",
                       heads[i], ids[i][0], ids[i][1], ids[i][3], ids[i][2], ids[i][3], ids[i][2]);
        wsk_log *log = read_log(text, WSK_OK);
        assert_int_equal(wsk_log_cards(log), 2);
        assert_string_equal(wsk_log_card(log, 0), "0");
        for (size_t k = 0; k < 3; k++) {
            assert_true(at(log, 0, WSK_LOG_POWER, k) >= 200);
            assert_true(at(log, 1, WSK_LOG_POWER, k) <= 61);
        }
        assert_int_equal(wsk_log_messages(log), 2);
        assert_string_equal(said(log, 0, &line, &column), "log.card-moved");
        assert_int_equal(line, 4);
        assert_string_equal(said(log, 1, &line, &column), "log.card-moved");
        wsk_log_free(log);
    }
}

static void another_card_takes_an_index(void **state)
{
    (void)state;
    int line, column;
    wsk_log *log = read_log("timestamp, index, uuid, power.draw [W]\n2026/08/12 21:00:00, 0, [N/A], 199 W\n"
                            "2026/08/12 21:00:01, 0, GPU-a, 200 W\n2026/08/12 21:30:00, 0, GPU-b, 50 W\n"
                            "2026/08/12 21:30:00, 1, GPU-a, 210 W\n2026/08/12 21:30:01, 0, GPU-b, 51 W\n",
                            WSK_OK);
    size_t index;
    assert_int_equal(wsk_log_cards(log), 2);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, 3);
    assert_int_equal(wsk_log_of(log, 1, WSK_LOG_POWER).count, 2);
    assert_string_equal(wsk_log_card(log, 0), "0");
    assert_string_equal(wsk_log_card(log, 1), "0 (2)");
    assert_false(wsk_log_index(log, 1, &index));
    assert_string_equal(said(log, 0, &line, &column), "log.card-replaced");
    assert_int_equal(line, 4);
    assert_string_equal(said(log, 1, &line, &column), "log.card-moved");
    wsk_log_free(log);
}

static void gpus_of_a_board_share_its_serial_number(void **state)
{
    (void)state;
    static const char *const heads[] = {"timestamp, uuid, serial, power.draw [W]\n%s",
                                        "timestamp, serial, uuid, power.draw [W]\n%s"};
    static const char *const rows[] = {
        "2026/08/12 21:00:00, GPU-a, 0324, 50 W\n2026/08/12 21:00:00, GPU-b, 0324, 60 W\n",
        "2026/08/12 21:00:00, 0324, GPU-a, 50 W\n2026/08/12 21:00:00, 0324, GPU-b, 60 W\n"};
    for (size_t i = 0; i < 2; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, heads[i], rows[i]);
        wsk_log *log = read_log(text, WSK_OK);
        assert_int_equal(wsk_log_cards(log), 2);
        assert_near(at(log, 1, WSK_LOG_POWER, 0), 60, 1e-9);
        assert_int_equal(wsk_log_messages(log), 0);
        wsk_log_free(log);
    }
}

/* The columns of a header in mid-file may name the cards in another way; a UUID is never shown. */
static void headers_name_cards_differently(void **state)
{
    (void)state;
    wsk_log *log =
        read_log("timestamp, index, uuid, power.draw [W]\n2026/08/12 21:00:00, 0, GPU-a, 200 W\n"
                 "timestamp, uuid, power.draw [W]\n2026/08/12 21:30:00, GPU-a, 210 W\n"
                 "timestamp, index, pci.bus_id, power.draw [W]\n2026/08/12 21:40:00, 0, 0:41:00.0, 220 W\n",
                 WSK_OK);
    assert_int_equal(wsk_log_cards(log), 1);
    assert_int_equal(wsk_log_of(log, 0, WSK_LOG_POWER).count, 3);
    assert_int_equal(wsk_log_messages(log), 0);
    wsk_log_free(log);
}

/* Programs that gather the cards of several hosts number those of each host from 0. */
static void hosts_have_cards_of_one_index(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
        "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"0\",\"UUID\":\"GPU-a\"},\"values\":"
        "[[1795348800,\"300\"],[1795348815,\"301\"]]},"
        "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"0\",\"UUID\":\"GPU-b\"},\"values\":"
        "[[1795348800,\"60\"],[1795348815,\"61\"]]}]}}",
        "nvidia_smi,host=a,index=0,uuid=GPU-a power_draw=300 1700000000000000000\n"
        "nvidia_smi,host=b,index=0,uuid=GPU-b power_draw=60 1700000000000000000\n"
        "nvidia_smi,host=a,index=0,uuid=GPU-a power_draw=301 1700000010000000000\n"
        "nvidia_smi,host=b,index=0,uuid=GPU-b power_draw=61 1700000010000000000\n",
        "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-a\",Hostname=\"a\"} 300 1795348800000\n"
        "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-b\",Hostname=\"b\"} 60 1795348800000\n"
        "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-a\",Hostname=\"a\"} 301 1795348815000\n"
        "DCGM_FI_DEV_POWER_USAGE{gpu=\"0\",UUID=\"GPU-b\",Hostname=\"b\"} 61 1795348815000\n"};
    for (size_t i = 0; i < 3; i++) {
        int line, column;
        wsk_log *log = read_log(texts[i], WSK_OK);
        assert_int_equal(wsk_log_cards(log), 2);
        assert_near(at(log, 0, WSK_LOG_POWER, 1), 301, 1e-9);
        assert_near(at(log, 1, WSK_LOG_POWER, 1), 61, 1e-9);
        assert_int_equal(wsk_log_messages(log), 1);
        assert_string_equal(said(log, 0, &line, &column), "log.card-replaced");
        wsk_log_free(log);
    }
}

static void queries_name_cards_by_uuid(void **state)
{
    (void)state;
    wsk_log *log = read_log(
        "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<timestamp>Sun Nov 22 12:00:01 2026</timestamp>\n"
        "<gpu id=\"00000000:01:00.0\">\n<uuid>GPU-a</uuid><gpu_power_readings><power_draw>200.00 W</power_draw>"
        "</gpu_power_readings></gpu></nvidia_smi_log>\n"
        "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<timestamp>Sun Nov 22 12:30:01 2026</timestamp>\n"
        "<gpu id=\"00000000:02:00.0\">\n<uuid>GPU-a</uuid><gpu_power_readings><power_draw>201.00 W</power_draw>"
        "</gpu_power_readings></gpu></nvidia_smi_log>\n",
        WSK_OK);
    int line, column;
    assert_int_equal(wsk_log_cards(log), 1);
    assert_near(at(log, 0, WSK_LOG_POWER, 1), 201, 1e-9);
    assert_string_equal(said(log, 0, &line, &column), "log.card-moved");
    wsk_log_free(log);
}

/* Series without UUIDs, as queries that aggregate by other labels answer. */
static void hosts_without_uuids(void **state)
{
    (void)state;
    static const char form[] = "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
                               "{\"metric\":{\"__name__\":\"DCGM_FI_DEV_POWER_USAGE\",\"gpu\":\"0\",%s},"
                               "\"values\":[[1795348800,\"300\"],[1795348815,\"301\"]]},"
                               "{\"metric\":{\"__name__\":\"%s\",\"gpu\":\"0\",%s},"
                               "\"values\":[[1795348807,\"60\"],[1795348822,\"61\"]]}]}}",
                      power[] = "DCGM_FI_DEV_POWER_USAGE", die[] = "DCGM_FI_DEV_GPU_TEMP";
    static const struct {
        const char *one, *metric, *other;
        size_t cards;
    } cases[] = {{"\"Hostname\":\"a\",\"instance\":\"x:1\"", power, "\"Hostname\":\"b\",\"instance\":\"x:1\"", 2},
                 {"\"instance\":\"a:9400\"", power, "\"instance\":\"b:9400\"", 2},
                 {"\"instance\":\"a:9400\"", die, "\"instance\":\"b:9400\"", 2},
                 {"\"Hostname\":\"a\",\"instance\":\"x:1\"", die, "\"Hostname\":\"a\",\"instance\":\"y:1\"", 1},
                 {"\"Hostname\":\"a\",\"UUID\":\"GPU-a\"", die, "\"Hostname\":\"a\"", 1},
                 {"\"pod\":\"a\"", die, "\"pod\":\"b\"", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        int line, column;
        (void)snprintf(text, sizeof text, form, cases[i].one, cases[i].metric, cases[i].other);
        wsk_log *log = read_log(text, WSK_OK);
        const size_t cards = cases[i].cards, of = cards - 1;
        assert_int_equal(wsk_log_cards(log), cards);
        assert_near(at(log, 0, WSK_LOG_POWER, 1), 301, 1e-9);
        assert_int_equal(wsk_log_of(log, of, cases[i].metric == die ? WSK_LOG_DIE : WSK_LOG_POWER).count, 2);
        assert_int_equal(wsk_log_messages(log), of);
        if (of)
            assert_string_equal(said(log, 0, &line, &column), "log.card-replaced");
        wsk_log_free(log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_change_places),
        cmocka_unit_test(another_card_takes_an_index),
        cmocka_unit_test(gpus_of_a_board_share_its_serial_number),
        cmocka_unit_test(headers_name_cards_differently),
        cmocka_unit_test(hosts_have_cards_of_one_index),
        cmocka_unit_test(hosts_without_uuids),
        cmocka_unit_test(queries_name_cards_by_uuid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
