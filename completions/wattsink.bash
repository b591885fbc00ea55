# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for bash. The candidates come from the program: `wattsink help --complete`.
_wattsink() {
    # COMP_WORDS is also split at "=" and ":", which paths contain; this joins the words again.
    local line=${COMP_LINE:0:COMP_POINT} words=() word='' quote='' char i
    for ((i = 0; i < ${#line}; i++)); do
        char=${line:i:1}
        if [[ -n $quote ]]; then
            if [[ $char == "$quote" ]]; then quote=''; else word+=$char; fi
        elif [[ $char == [\'\"] ]]; then
            quote=$char
        elif [[ $char == \\ ]]; then
            ((++i)) # not within the braces, where :+ means something else
            word+=${line:i:1}
        elif [[ $char == [[:space:]] ]]; then
            [[ -z $word ]] || words+=("$word")
            word=''
        else
            word+=$char
        fi
    done

    local candidate meaning names=()
    COMPREPLY=()
    while IFS=$'\t' read -r candidate meaning; do
        case $candidate in
        :dirs) mapfile -t names < <(compgen -d -- "$word") ;;
        :files) mapfile -t names < <(compgen -f -- "$word") ;;
        :rigs) mapfile -t names < <(
            compgen -d -- "$word"
            compgen -f -X '!*.xml' -- "$word"
        ) ;;
        *) COMPREPLY+=("$candidate") ;;
        esac
    done < <("${words[0]}" help --complete -- "${words[@]:1}" "$word" 2>/dev/null)

    if ((${#names[@]})); then
        COMPREPLY+=("${names[@]}")
        compopt -o filenames 2>/dev/null
        return
    fi
    # Readline replaces only the text after the last "=" or ":", unless a quote is open.
    local value=$word prefix
    [[ $word != --*=* ]] || value=${word#*=}
    if [[ -z $quote && $COMP_WORDBREAKS == *=* ]]; then
        prefix=${value%"${value##*[=:]}"}
        COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
    fi
    [[ ${COMPREPLY[0]-} != *[.=] ]] || compopt -o nospace 2>/dev/null
}
complete -F _wattsink wattsink
