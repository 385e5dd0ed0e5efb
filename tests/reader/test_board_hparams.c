/* SPDX-License-Identifier: Apache-2.0 */
/* What the plugin "hparams" says of a run, and what is beside its files. */
#include "tests/reader/board.h"

#include "reader/trial_kinds.h"

/* A record of one value without content: `content` is what the plugin says. */
static void add_plugin(struct sm_str *out, const char *tag, const char *plugin, const char *content,
                       size_t n)
{
    struct sm_str data = {0}, meta = {0}, value = {0}, summary = {0}, event = {0};
    sm_str_printf(&data, "\x0a%c%s\x12%c", (int)strlen(plugin), plugin, (int)n);
    sm_str_addn(&data, content, n);
    sm_str_printf(&meta, "\x0a%c", (int)data.len);
    sm_str_addn(&meta, data.data, data.len);
    sm_str_printf(&value, "\x0a%c%s\x4a%c", (int)strlen(tag), tag, (int)meta.len);
    sm_str_addn(&value, meta.data, meta.len);
    sm_str_printf(&summary, "\x0a%c", (int)value.len);
    sm_str_addn(&summary, value.data, value.len);
    sm_str_printf(&event, "\x2a%c", (int)summary.len);
    sm_str_addn(&event, summary.data, summary.len);
    assert_true(event.len < 128);
    sm_frame_write(out, (struct sm_bytes){(const uint8_t *)event.data, event.len}, true);
    struct sm_str *all[] = {&data, &meta, &value, &summary, &event};
    for (int i = 0; i < 5; i++)
        sm_str_clear(all[i]);
}
#define ADD_HPARAMS(out, tag, content) add_plugin(out, tag, "hparams", content, sizeof(content) - 1)

/* session_start_info { hparams { lr: 0.5, name: "a\"b", on: true } } */
static const char start[] = "\x1a\x2d"
                            "\x0a\x0f\x0a\x02lr\x12\x09\x11\0\0\0\0\0\0\xe0\x3f"
                            "\x0a\x0d\x0a\x04name\x12\x05\x1a\x03"
                            "a\"b"
                            "\x0a\x0b\x0a\x02on\x12\x02\x20\x01\x0a\x01x";

static const char *config(struct live *l, const char *key)
{
    return sm_run_fields_get(&sm_trial_info(l->trial)->config, key);
}

static void test_hyperparameters_are_the_configuration(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_record(&bytes, "loss", 0, 1);
    ADD_HPARAMS(&bytes, "_hparams_/session_start_info", start);
    write_run(l, "", &bytes, bytes.len);
    live_open(l);
    assert_string_equal(config(l, "lr"), "0.5");
    assert_string_equal(config(l, "name"), "\"a\\\"b\"");
    assert_int_equal(sm_trial_tensor_count(l->trial), 1); /* it is none */
    assert_int_equal(sm_trial_problems(l->trial)->total, 0);
    sm_str_clear(&bytes);
}

/* PyTorch writes an end without a time at once: it says nothing. One with a time does. */
static void test_an_end(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_record(&bytes, "loss", 0, 1);
    ADD_HPARAMS(&bytes, "_hparams_/session_end_info", "\x22\x02\x08\x01");
    write_run(l, "", &bytes, bytes.len);
    live_open(l);
    assert_int_not_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    ADD_HPARAMS(&bytes, "_hparams_/session_end_info", "\x22\x0b\x08\x02\x11\0\0\0\0\0\0\xf0\x41");
    write_run(l, "", &bytes, bytes.len);
    live_beat(l);
    live_beat(l);
    assert_int_equal(sm_trial_state(l->trial), SM_TRIAL_ENDED);
    assert_int_equal(sm_trial_info(l->trial)->exit_code, 1);
    sm_str_clear(&bytes);
}

static void test_settings_beside_the_files(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_record(&bytes, "loss", 0, 1);
    ADD_HPARAMS(&bytes, "_hparams_/session_start_info", start);
    write_run(l, "", &bytes, bytes.len);
    put_file(in(l, "hparams.yaml"), "width: 4\n", 9);
    live_open(l);
    assert_string_equal(config(l, "width"), "4");
    assert_string_equal(config(l, "lr"), "0.5");
    put_file(in(l, "hparams.yaml"), "width: 64\n", 10); /* what the files said stays */
    live_beat(l);
    assert_string_equal(config(l, "width"), "64");
    assert_string_equal(config(l, "lr"), "0.5");
    sm_str_clear(&bytes);
}

/* Whatever stands in the message, it is no more than no configuration. */
static void test_damaged_messages(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    add_record(&bytes, "loss", 0, 1);
    for (size_t n = 0; n < sizeof start - 1; n++)
        add_plugin(&bytes, "s", "hparams", start, n);
    for (size_t i = 0; i < sizeof start - 1; i++) {
        char other[sizeof start];
        memcpy(other, start, sizeof other);
        other[i] = (char)(other[i] ^ 0x15);
        add_plugin(&bytes, "s", "hparams", other, sizeof start - 1);
    }
    write_run(l, "", &bytes, bytes.len);
    live_open(l);
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    sm_str_clear(&bytes);
}

static void test_what_is_not_shown_is_named(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0};
    static const uint8_t graph[] = {0x22, 2, 0x0a, 0};
    add_record(&bytes, "loss", 0, 1);
    sm_frame_write(&bytes, (struct sm_bytes){graph, sizeof graph}, true);
    add_plugin(&bytes, "keras", "graph_keras_model", "", 0);
    write_run(l, "", &bytes, bytes.len);
    live_open(l);
    assert_string_equal(sm_trial_info(l->trial)->ignored, "graph, model");
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    sm_str_clear(&bytes);
}

static void write_session(struct live *l, const char *folder, const struct sm_str *bytes)
{
    mkdir(in(l, "%s", folder), 0777);
    put_file(in(l, "%s/events.out.tfevents.1.host", folder), bytes->data, bytes->len);
}

/* add_hparams writes a session into a folder named by the time, below the run's. Its values are not
 * the run's, its hyperparameters are if there is no other. */
static void test_a_session_below_the_run(void **state)
{
    struct live *l = *state;
    struct sm_str bytes = {0}, session = {0};
    add_record(&bytes, "loss", 0, 1);
    add_record(&session, "accuracy", 0, 1);
    ADD_HPARAMS(&session, "_hparams_/session_start_info", start);
    write_run(l, "", &bytes, bytes.len);
    write_session(l, "1790000000.25", &session);
    write_session(l, "2024", &session); /* no session */
    struct sm_trial_options o = {.follow = true, .kind = &sm_trial_kind_tensorboard};
    live_open_path(l, l->path, o);
    assert_string_equal(config(l, "lr"), "0.5");
    assert_int_equal(sm_trial_tensor_count(l->trial), 1);
    assert_int_equal(sm_trial_worker_count(l->trial), 1);
    live_close(l);
    write_session(l, "1790000001.5", &session); /* which of them? */
    live_open_path(l, l->path, o);
    assert_null(config(l, "lr"));
    sm_str_clear(&bytes);
    sm_str_clear(&session);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, live_setup, live_teardown)
    const struct CMUnitTest tests[] = {
        T(test_hyperparameters_are_the_configuration),
        T(test_an_end),
        T(test_settings_beside_the_files),
        T(test_damaged_messages),
        T(test_what_is_not_shown_is_named),
        T(test_a_session_below_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
