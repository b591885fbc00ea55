/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shell completion. `wattsink help --complete -- WORD...` prints the candidates for the last WORD, one per line, each
 * followed by a tab and its meaning, which may be empty. A line ":rigs", ":files" or ":dirs" asks the shell to complete
 * names of rig files, files or folders. Options come from the help texts and attributes from `wattsink kinds`, so no
 * second list of them has to be maintained. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/complete.h"

typedef struct {
    const char *word;
    char *parts_dir, *own_parts;
    char *kinds;
    const wsk_elements *rig;
    wsk_rig *loaded;
} completion;

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static size_t meaning_length(const char *meaning)
{
    size_t n = 0;
    for (int open = 0; meaning[n] && meaning[n] != '\n' && (open > 0 || meaning[n] != ';'); n++)
        open += (meaning[n] == '(') - (meaning[n] == ')');
    return n;
}

static void offer(const completion *c, const char *before, const char *name, size_t len, const char *after,
                  const char *meaning)
{
    char *full = wsk_cli_format("%s%.*s%s", before, (int)len, name, after);
    if (begins(full, c->word))
        printf("%s\t%.*s\n", full, (int)meaning_length(meaning), meaning);
    free(full);
}

static const char *next_line(const char *p)
{
    p += strcspn(p, "\n");
    return *p ? p + 1 : p;
}

typedef struct {
    const char *value; /* placeholder of the option's value, "DIR", not NUL-terminated; "" for a flag */
    size_t len;
    const char *meaning; /* ends at a newline */
} option;

enum { NAME_AT = 2, MEANING_AT = 22 }; /* columns of a help line where name and meaning begin */

static const char *names_end(const char *line)
{
    const char *end = line + strcspn(line, "\n");
    if (end - line > MEANING_AT)
        end = line + MEANING_AT;
    while (end > line && end[-1] == ' ')
        end--;
    return end;
}

/* Finds the next name, from p on, in an option's line of a help text, such as "-o, --out DIR". *out gets the
 * placeholder of the option's value (DIR), which stands behind the last name and applies to all names. NULL: no
 * further name. */
static const char *option_name(const char *p, const char *end, size_t *len, option *out)
{
    while (p < end && *p != '-')
        p++;
    if (p == end)
        return NULL;
    *len = strcspn(p, ", \n");
    const char *value = p + *len, *next = value;
    while (value + 2 < end && value[0] == ',' && value[2] == '-')
        value += 2, value += strcspn(value, ", \n");
    out->value = value < end && *value == ' ' ? value + 1 : "";
    for (out->len = 0; *out->value && out->value + out->len < end && out->value[out->len] != ' '; out->len++)
        if (out->value[out->len] == ',' && out->value[out->len + 1] == ' ')
            break;
    return next > end ? NULL : p;
}

/* Returns the translated meaning of an option; `line`: its line in the English help text. The translated help text has
 * the same number of lines, so the translated line is the one with the same number. */
static const char *meaning_of(const wsk_cli_command *command, const char *line)
{
    const char *other = T_(command->options);
    for (const char *at = command->options; at < line && *other; at = next_line(at))
        other = next_line(other);
    return begins(other, "  -") && strcspn(other, "\n") > MEANING_AT ? other + MEANING_AT : line + MEANING_AT;
}

static void offer_options(const completion *c, const wsk_cli_command *command)
{
    for (const char *line = command->options; *line; line = next_line(line)) {
        if (!begins(line, "  -"))
            continue;
        const char *end = names_end(line), *p = line + NAME_AT;
        size_t len;
        option o;
        while ((p = option_name(p, end, &len, &o)) != NULL) {
            /* a short name such as "-o" is offered only after more than a "-" was typed */
            if (len > 2 || strlen(c->word) > 1)
                offer(c, "", p, len, "", meaning_of(command, line));
            p += len;
        }
    }
    offer(c, "", "--lang", 6, "", T_("language of the text"));
    offer(c, "", "--help", 6, "", T_("what this command does, with an example"));
}

static bool find_option(const wsk_cli_command *command, const char *name, size_t want, option *out)
{
    for (const char *line = command->options; *line; line = next_line(line)) {
        const char *end = names_end(line), *p = line + NAME_AT;
        size_t len;
        while (begins(line, "  -") && (p = option_name(p, end, &len, out)) != NULL) {
            out->meaning = line + MEANING_AT;
            if (len == want && !strncmp(p, name, len))
                return true;
            p += len;
        }
    }
    return false;
}

static void offer_choices(const completion *c, const char *before, const char *text)
{
    const char *p = strstr(text, "one of "), *end = text + strcspn(text, "\n");
    if (!p || p > end)
        return;
    for (p += strlen("one of "); p < end; p++) {
        p += strspn(p, " ");
        offer(c, before, p, strcspn(p, " ,;:\n"), "", "");
        p += strcspn(p, ",;\n");
        if (*p != ',')
            return;
    }
}

/* Which names of a part are offered: "gpu/rtx-3090"; that and "rtx-3090"; of all parts, the families alone, "gpu". */
typedef enum { WHOLE, SHORT_TOO, FAMILIES } names;

static void offer_parts(const completion *c, const char *before, const char *family, names which)
{
    const char *const folders[] = {c->own_parts, c->parts_dir};
    for (size_t i = 0; i < 2; i++) {
        char *text = NULL;
        if (folders[i] && wsk_parts_text(folders[i], family, NULL, &text) == WSK_OK) {
            const char *last = "";
            for (const char *line = text; *line; line = next_line(line)) {
                const size_t len = strcspn(line, " \n"), head = strcspn(line, "/ \n");
                const char *title = line + len + strspn(line + len, " ");
                if (which != FAMILIES)
                    offer(c, before, line, len, "", title);
                else if (strncmp(line, last, head + 1) != 0)
                    offer(c, before, line, head, "", "");
                if (which == SHORT_TOO && head < len)
                    offer(c, before, line + head + 1, len - head - 1, "", title);
                last = line;
            }
        }
        wsk_text_free(text);
    }
}

static bool has_parts(const completion *c, const char *element)
{
    char *text = NULL;
    bool found = wsk_parts_text(c->parts_dir, element, NULL, &text) == WSK_OK && text && *text;
    wsk_text_free(text);
    return found;
}

/* The text of `wattsink kinds` has three sorts of lines: <gpu kind="boost"> begins a kind of an element, "  holds
 * <cooler>" names the elements that may be inside it, and "  slot  meaning" describes an attribute. */

static bool is_kind_of(const char *line, const char *element, size_t len)
{
    return line[0] == '<' && !strncmp(line + 1, element, len) && line[len + 1] == ' ';
}

static void offer_elements(const completion *c)
{
    size_t before = 0;
    for (const char *line = c->kinds, *last = ""; *line; line = next_line(line)) {
        if (line[0] != '<')
            continue;
        size_t len = strcspn(line + 1, " ");
        if (len != before || strncmp(line + 1, last, len) != 0)
            offer(c, "", line + 1, len, "", strstr(line, ": ") ? strstr(line, ": ") + 2 : "");
        last = line + 1, before = len;
    }
}

static void offer_step(const completion *c, const char *before, const char *name, const char *index)
{
    char *step = wsk_cli_format("%s%s", name, index);
    offer(c, before, step, strlen(step), ".", "");
    if (has_parts(c, name))
        offer(c, before, step, strlen(step), "=", T_("a part"));
    free(step);
}

static int count_elements(const wsk_elements *rig, const char *element)
{
    int n = 0;
    for (int e = -1; (e = wsk_elements_next(rig, element, e, -1)) >= 0;)
        n++;
    return n;
}

static void offer_first_steps(const completion *c)
{
    char name[64] = "";
    for (const char *line = c->kinds; *line; line = next_line(line)) {
        size_t len = line[0] == '<' ? strcspn(line + 1, " ") : 0;
        if (!len || len >= sizeof name || (!strncmp(line + 1, name, len) && !name[len]))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)len, line + 1);
        int count = c->rig ? count_elements(c->rig, name) : 1;
        if (!strcmp(name, "rig") || !count)
            continue;
        if (count > 1)
            offer_step(c, "", name, "[*]");
        else
            offer_step(c, "", name, "");
        for (int i = 0; i < count && count > 1; i++) {
            char index[16];
            snprintf(index, sizeof index, "[%d]", i);
            offer_step(c, "", name, index);
        }
    }
}

/* Offers the attributes of all kinds (kind="...") of the element, and the elements that may be inside it. `before`: the
 * path so far, which ends with a dot. */
static void offer_next_steps(const completion *c, const char *before, const char *element, size_t len)
{
    bool here = false;
    for (const char *line = c->kinds; *line; line = next_line(line)) {
        if (line[0] != ' ') {
            here = is_kind_of(line, element, len);
        } else if (here && begins(line, "  holds ")) {
            const char *end = line + strcspn(line, "\n");
            for (const char *p = line; (p = strchr(p, '<')) != NULL && p < end; p++) {
                char name[64];
                snprintf(name, sizeof name, "%.*s", (int)strcspn(p + 1, ">"), p + 1);
                offer_step(c, before, name, "");
            }
        } else if (here) {
            size_t n = strcspn(line + 2, " ");
            const char *meaning = line + 2 + n;
            offer(c, before, line + 2, n, "=", meaning + strspn(meaning, " "));
        }
    }
    offer(c, before, "kind=", 5, "", T_("which kind"));
}

/* Index of the rig element to which the first `steps` bytes of a path lead: the cooler of the second GPU for
 * "gpu[1].cooler.". A step without a number means the next element of that name. -1: no such element. */
static int element_of(const completion *c, const char *path, size_t steps)
{
    const char *end = path + steps;
    int at = -1;
    while (c->rig && path < end) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(path, "[."), path);
        const char *bracket = path + strlen(name), *behind;
        double number = *bracket == '[' ? wsk_number_at(bracket + 1, &behind) : 0;
        for (double left = number > 0 ? floor(number) : 0; left >= 0; left--)
            if ((at = wsk_elements_next(c->rig, name, at, -1)) < 0)
                return -1;
        path += strcspn(path, ".=");
        path += *path == '.';
    }
    return at;
}

static void offer_present(const completion *c, const char *before, size_t steps, const char *name, size_t n)
{
    char text[64], *attribute = wsk_cli_format("%.*s", (int)n, name);
    size_t k = 0;
    int at = element_of(c, before, steps);
    const char *value = at >= 0 ? wsk_elements_text(c->rig, at, attribute) : NULL;
    for (; value && *value && k < sizeof text - 1; value++)
        if (*value != ' ')
            text[k++] = *value;
    text[k] = '\0';
    if (k && !*value && !strpbrk(text, ",:&$`\\'\"<>"))
        offer(c, before, text, k, "", T_("the present value"));
    free(attribute);
}

static void offer_values(const completion *c, const char *before, const char *element, size_t len, const char *name,
                         size_t n)
{
    char family[64];
    if (!name) {
        snprintf(family, sizeof family, "%.*s", (int)len, element);
        offer_parts(c, before, family, WHOLE);
        return;
    }
    bool here = false;
    for (const char *line = c->kinds; *line; line = next_line(line)) {
        if (line[0] != ' ') {
            here = is_kind_of(line, element, len);
            const char *kind = here ? strchr(line, '"') : NULL;
            if (kind && n == 4 && !strncmp(name, "kind", 4))
                offer(c, before, kind + 1, strcspn(kind + 1, "\""), "", "");
        } else if (here && strcspn(line + 2, " ") == n && !strncmp(line + 2, name, n)) {
            if (strstr(line, "one of ") && strstr(line, "one of ") < line + strcspn(line, "\n"))
                offer_choices(c, before, line);
            else
                offer_present(c, before, (size_t)(name - c->word), name, n);
        }
    }
}

static size_t last_name(const char *path, size_t len)
{
    while (len > 0 && path[len - 1] != '.')
        len--;
    return len;
}

static void offer_paths(const completion *c)
{
    const char *path = c->word, *values = strchr(path, '=');
    if (values) {
        const char *comma = strrchr(values, ',');
        char *before = wsk_cli_format("%.*s", (int)((comma ? comma : values) + 1 - path), path);
        size_t len = (size_t)(values - path), at = last_name(path, len), up = at ? last_name(path, at - 1) : 0;
        size_t own = strcspn(path + at, "[=");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)own, path + at);
        char *text = NULL;
        bool element = wsk_kinds_text(name, &text) == WSK_OK && text && *text;
        wsk_text_free(text);
        if (at == 0 || (element && has_parts(c, name)))
            offer_values(c, before, path + at, own, NULL, 0);
        else
            offer_values(c, before, path + up, strcspn(path + up, "[."), path + at, own);
        free(before);
        return;
    }
    size_t at = last_name(path, strlen(path)), up = at ? last_name(path, at - 1) : 0;
    char *before = wsk_cli_format("%.*s", (int)at, path);
    if (at)
        offer_next_steps(c, before, path + up, strcspn(path + up, "[."));
    else
        offer_first_steps(c);
    free(before);
}

static void read_rig(completion *c, const wsk_cli_list *words, const char *data)
{
    for (size_t i = 1; i + 1 < words->count && !c->rig; i++) {
        const char *word = words->items[i], *dot = strrchr(word, '.');
        if (!dot || strcmp(dot, ".xml") != 0)
            continue;
        wsk_rig *rig = NULL;
        if (wsk_rig_load(&rig, &(wsk_rig_options){.path = word,
                                                  .parts_dir = c->parts_dir,
                                                  .extra_parts_dir = c->own_parts,
                                                  .data_dir = data}) == WSK_OK &&
            wsk_rig_elements(rig, &c->rig) == WSK_OK)
            c->loaded = rig;
        else
            wsk_rig_free(rig);
    }
}

static void offer_argument(const completion *c, const wsk_cli_command *command)
{
    const char *usage = command->usage;
    if (begins(usage, "RIG.xml") || begins(usage, "A.xml"))
        puts(":rigs");
    else if (begins(usage, "DIR"))
        puts(":dirs");
    else if (begins(usage, "[FAMILY]"))
        offer_parts(c, "", NULL, FAMILIES);
    else if (begins(usage, "[ELEMENT]"))
        offer_elements(c);
    else if (begins(usage, "[COMMAND]"))
        for (size_t i = 0; wsk_cli_commands[i]; i++)
            offer(c, "", wsk_cli_commands[i]->name, strlen(wsk_cli_commands[i]->name), "",
                  T_(wsk_cli_commands[i]->summary));
}

/* Options with the placeholder NAME, such as --quant, take the words of the attribute of <workload> with their name. */
static void offer_words(const completion *c, const char *name, size_t n)
{
    bool here = false;
    for (const char *line = c->kinds; *line; line = next_line(line)) {
        if (line[0] != ' ')
            here = is_kind_of(line, "workload", strlen("workload"));
        else if (here && strcspn(line + 2, " ") == n && !strncmp(line + 2, name, n))
            offer_choices(c, "", line);
    }
}

/* The placeholders PART and MODEL stand for a part of the family that the option is named after, such as "gpu" of
 * --gpu. */
static void offer_value(const completion *c, const option *o, const char *name)
{
    if (begins(o->value, "DIR"))
        puts(":dirs");
    else if (begins(o->value, "FILE"))
        puts(":files");
    else if (begins(o->value, "PATH"))
        offer_paths(c);
    else if (begins(o->value, "PART") || begins(o->value, "MODEL")) {
        char family[64];
        snprintf(family, sizeof family, "%.*s", (int)strcspn(name + 2, "="), name + 2);
        offer_parts(c, "", family, SHORT_TOO);
    } else if (begins(o->value, "ID"))
        offer_parts(c, "", NULL, WHOLE);
    else {
        offer_choices(c, "", o->meaning);
        if (begins(o->value, "NAME"))
            offer_words(c, name + 2, strcspn(name + 2, "="));
    }
}

static void offer_all(completion *c, const wsk_cli_list *words)
{
    const wsk_cli_command *command = NULL;
    for (size_t i = 0; words->count > 1 && wsk_cli_commands[i] && !command; i++)
        if (!strcmp(wsk_cli_commands[i]->name, words->items[0]))
            command = wsk_cli_commands[i];
    if (words->count < 2) {
        offer_argument(c, wsk_cli_find("help"));
        offer(c, "", "--version", 9, "", "");
        offer(c, "", "--help", 6, "", "");
        offer(c, "", "--lang", 6, "", "");
    }
    if (!command)
        return;
    const char *last = words->items[words->count - 2], *equals = strchr(c->word, '=');
    option o;
    if (begins(c->word, "--") && equals && find_option(command, c->word, (size_t)(equals - c->word), &o)) {
        completion value = *c; /* after --set=PATH, shells complete only the text behind "=" */
        value.word = equals + 1;
        offer_value(&value, &o, c->word);
    } else if (!strcmp(last, "--lang"))
        for (size_t i = 0; wsk_lang_names[i]; i++)
            offer(c, "", wsk_lang_names[i], strlen(wsk_lang_names[i]), "", "");
    else if (words->count > 2 && last[0] == '-' && find_option(command, last, strlen(last), &o) && *o.value)
        offer_value(c, &o, last);
    else if (c->word[0] == '-')
        offer_options(c, command);
    else
        offer_argument(c, command);
}

void wsk_cli_complete(const wsk_cli_list *words)
{
    if (!words->count)
        return;
    completion c = {.word = words->items[words->count - 1]};
    const char *own = NULL, *data = NULL;
    for (size_t i = 1; i + 2 < words->count; i++)
        if (!strcmp(words->items[i], "--parts"))
            own = words->items[i + 1];
        else if (!strcmp(words->items[i], "--data"))
            data = words->items[i + 1];
    c.own_parts = own ? wsk_cli_format("%s", own) : NULL;
    c.parts_dir = wsk_cli_parts_dir(own);
    if (wsk_kinds_text(NULL, &c.kinds) == WSK_OK) {
        read_rig(&c, words, data);
        offer_all(&c, words);
    }
    wsk_text_free(c.kinds);
    wsk_elements_free(c.rig);
    wsk_rig_free(c.loaded);
    free(c.own_parts);
    free(c.parts_dir);
}
