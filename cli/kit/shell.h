/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of commands that the program prints for the user to paste into a shell. */
#ifndef WSK_CLI_SHELL_H
#define WSK_CLI_SHELL_H

/* The text between single quotes, which every shell reads as one word. Caller frees. */
char *wsk_cli_shell_quoted(const char *text);
/* The same, without quotes if the text needs none. Caller frees. */
char *wsk_cli_shell_word(const char *text);

#endif
