/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/kit/cli.h"

/* MARK: the place in the page where the rig is inserted. RIG: the start tag of the element that holds the rig. */
static const char MARK[] = "<!--rig-->", RIG[] = "<script type=\"text/plain\" id=\"rig\">";

static char *page_text(void)
{
    /* paths relative to the folder above "parts": as installed, and in a checkout */
    static const char *const beside[] = {"wattsink.html", "build/web/wattsink.html"};
    char *parts = wsk_cli_share("parts"), *text = NULL;
    for (size_t i = 0; !text && i < sizeof beside / sizeof *beside; i++) {
        char *path = wsk_cli_format("%s/../%s", parts, beside[i]);
        text = wsk_cli_read(path, NULL);
        if (!text && errno != ENOENT && errno != ENOTDIR) {
            wsk_cli_error(T_("cannot open %s: %s"), path, T_(strerror(errno)));
            i = sizeof beside / sizeof *beside - 1;
        } else if (!text && i) {
            wsk_cli_error(T_("the page is not built: 'make web' builds it, and 'make install' then installs it"));
        }
        free(path);
    }
    free(parts);
    return text;
}

/* Writes the rig as an element of HTML. "</script" in the rig would end the element, so each "</" is written as
 * "<\/". */
static void put_rig(FILE *out, const char *xml)
{
    fputs(RIG, out);
    for (; *xml; xml++) {
        fputc(*xml, out);
        if (*xml == '<' && xml[1] == '/')
            fputc('\\', out);
    }
    fputs("</script>", out);
}

static char *with_rig(const char *page, const char *xml, size_t *len)
{
    char *html = NULL;
    const char *at = strstr(page, MARK);
    FILE *out = wsk_cli_text(&html, len);
    fwrite(page, 1, at ? (size_t)(at - page) : strlen(page), out);
    if (at) {
        put_rig(out, xml);
        fputs(at + strlen(MARK), out);
    }
    wsk_cli_check_memory(fclose(out) == 0);
    return html;
}

static bool show(const char *file)
{
    const char *browser = getenv("BROWSER"), *screen = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    if (!(browser && *browser) && !(screen && *screen) && !(wayland && *wayland))
        return false;
    pid_t child = fork();
    if (child == 0) {
        if (browser && *browser)
            execlp(browser, browser, file, (char *)NULL);
        execlp("xdg-open", "xdg-open", file, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* True if the file may be written: it does not exist, is a pipe or device, or contains RIG and so is a page with a
 * rig, which may be replaced. Else prints a message. */
static bool may_write(const char *file)
{
    if (wsk_cli_is_stream(file))
        return true;
    char *old = wsk_cli_read(file, NULL);
    const int why = old ? 0 : errno;
    bool free_name = why == ENOENT, ours = old && strstr(old, RIG);
    if (!old && !free_name && why != EISDIR)
        wsk_cli_error(T_("cannot read %s: %s"), file, T_(strerror(why)));
    else if (!free_name && !ours)
        wsk_cli_error(T_("%s exists already and is no page with a rig; expected another name after -o"), file);
    free(old);
    return free_name || ours;
}

static int open_rig(const char *xml, const char *file, bool stay)
{
    char *page = page_text();
    if (!page || !may_write(file)) {
        free(page);
        return WSK_ERUN;
    }
    size_t len = 0;
    char *html = with_rig(page, xml, &len);
    const bool stream = wsk_cli_is_stream(file); /* a page in a pipe or device cannot be opened in a browser */
    bool ok = wsk_cli_write_path(file, html, len);
    if (ok && !stream && (stay || !show(file)))
        printf("%s\n", file);
    free(html);
    free(page);
    return ok ? WSK_OK : WSK_ERUN;
}

/* Reads the text of the rig. NULL: *code is the exit code, and a message was printed. */
static char *read_rig(const char *path, int *code)
{
    const bool piped = !strcmp(path, "-");
    char *xml = piped ? wsk_cli_read_stream(stdin, NULL) : wsk_cli_read(path, NULL);
    int why = errno;
    if (xml)
        return xml;
    /* loading the rig prints why the file cannot be read */
    if (!piped)
        wsk_rig_free(wsk_cli_load(path, &(wsk_cli_rig_options){0}, 0, code));
    if (*code == WSK_OK) {
        wsk_cli_error(T_("cannot read %s: %s"), piped ? T_("standard input") : path, T_(strerror(why)));
        *code = WSK_ERUN;
    }
    return NULL;
}

static int main_open(int argc, char **argv)
{
    wsk_cli_list words = {0};
    const char *path = NULL;
    bool stay = false;
    const wsk_cli_option options[] = {
        {.name = "out", .letter = 'o', .value = &path}, {.name = "no-browser", .flag = &stay}, {.name = NULL}};
    int code = wsk_cli_parse(&wsk_cli_open, argc, argv, options, &words);
    if (code != WSK_OK) {
        code = code < 0 ? WSK_OK : code;
    } else if (words.count != 1) {
        code = wsk_cli_one_rig(&wsk_cli_open, &words);
    } else if (!strcmp(words.items[0], "-") && !path) {
        code = wsk_cli_usage(&wsk_cli_open, T_("a rig from standard input needs -o FILE"));
    } else {
        char *xml = read_rig(words.items[0], &code);
        if (xml) {
            char *label = wsk_cli_rig_label(words.items[0]), *name = wsk_cli_format("%s.html", label);
            code = open_rig(xml, path ? path : name, stay);
            free(name);
            free(label);
        }
        free(xml);
    }
    free(words.items);
    return code;
}

const wsk_cli_command wsk_cli_open = {
    .name = "open",
    .usage = "RIG.xml [-o FILE] [--no-browser]",
    .summary = N_("a rig in the browser: drawn, with sliders, without a network"),
    .options =
        N_("  -o FILE             write the page there (default: the rig's name with .html, in this folder)\n"
           "  --no-browser        only write the page and print its name\n"
           "The page is one file that works without a network and can be passed on. The rig goes into it as it is;\n"
           "its own parts and data files stay behind. $BROWSER, or xdg-open, shows it.\n"),
    .example = "wattsink open scenarios/quad-3090-blower/rig.xml --no-browser",
    .run = main_open};
