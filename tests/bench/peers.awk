# Medians of the lines "row who text chart quiet cpu peak idle-cpu idle-bytes [whole]", and the bars.
function median(row, who, field,    n, i, j, t, v, key) {
    key = row " " who
    n = 0
    for (i = 1; i <= count[key]; i++)
        if (value[key, i, field] != "-")
            v[++n] = value[key, i, field] + 0
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && v[j] < v[j - 1]; j--) {
            t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
        }
    return n ? (v[int((n + 1) / 2)] + v[int(n / 2) + 1]) / 2 : -1
}
function show(x, format) { return x < 0 ? "-" : sprintf(format, x) }
function ratio(x, y) { return x < 0 ? -1 : x / y }
function bar(row, who, what, x, most, unit) {
    if (x >= 0)
        printf "%-3s %-14s %-28s %9.3g %-3s  <= %-8.4g %s\n", row, who, what, x, unit, most, x <= most ? "met" : "not met"
}
{
    key = $1 " " $2
    if (!count[key]++)
        order[++n_keys] = key
    for (i = 3; i <= NF; i++)
        value[key, count[key], i - 2] = $i
}
END {
    printf "\n%-3s %-14s %8s %8s %8s %8s %8s %8s %8s %8s\n", "row", "who", "shown s", "chart s", "quiet s", "CPU s", "peak MB", "idle %", "idle B", "whole s"
    for (i = 1; i <= n_keys; i++) {
        split(order[i], k, " ")
        printf "%-3s %-14s", k[1], k[2]
        for (f = 1; f <= 8; f++) {
            x = median(k[1], k[2], f)
            printf " %8s", show(f == 5 && x >= 0 ? x / 1000 : x, f == 5 || f == 7 ? "%.0f" : "%.3f")
        }
        printf "\n"
    }
    printf "\n"
    split("a b c", rows, " ")
    split("100 60 150", memory, " ")
    split("1 1 0.7", share, " ")
    for (i = 1; i <= 3; i++) {
        r = rows[i]
        if (!count[r " ours"])
            continue
        peer = median(r, "data-server", 3)
        if (peer > 0) {
            if (r != "c")
                bar(r, "ours", "read and shown, of peer", ratio(median(r, "ours", 1), peer), share[i], "x")
            if (r == "c")
                bar(r, "ours", "all of the table, of peer", ratio(median(r, "ours", 8), peer), share[i], "x")
            bar(r, "ours", "screen quiet, of peer", ratio(median(r, "ours", 3), peer), share[i], "x")
            bar(r, "ours-batch", "batch answer, of peer", ratio(median(r, "ours-batch", 3), peer), share[i], "x")
            if (count[r " ours-on-trial"]) {
                bar(r, "ours-on-trial", "read and shown, of peer", ratio(median(r, "ours-on-trial", 1), peer), 3, "x")
                bar(r, "ours-on-trial", "screen quiet, of peer", ratio(median(r, "ours-on-trial", 3), peer), 3, "x")
                bar(r, "batch-on-trial", "batch answer, of peer", ratio(median(r, "batch-on-trial", 3), peer), 3, "x")
            }
        }
        bar(r, "ours", "peak memory", median(r, "ours", 5) / 1000, memory[i], "MB")
        bar(r, "ours", "first chart", 1000 * median(r, "ours", 2), 200, "ms")
        if (r == "c")
            bar(r, "ours", "first table", 1000 * median(r, "ours", 1), 300, "ms")
        bar(r, "ours", "idle CPU", median(r, "ours", 6), 0.1, "%")
        bar(r, "ours", "idle output", median(r, "ours", 7), 0, "B")
    }
}
