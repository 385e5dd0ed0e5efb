# an attached ProfilerReport writes the files of "profile report" when the data have ended
$ -batch -ex 'set rule-actions on' -ex "rule add ProfilerReport output=$T/a" -ex 'rule status' -ex "profile report $T/b" -ex 'info events -field text' tests/samples/profile | cut -c1-99 | grep -v 'no JSON\|has ended'; diff -r "$T/a" "$T/b" && ls "$T/a"
<
ProfilerReport is attached.
RULE            STATUS         FIRST  LAST  FIRED  TENSOR  WHAT
ProfilerReport  NoIssuesFound      -     -      0  -       -
Wrote the report to $T/b: profiler-report.html and profiler-reports.
WHAT
report written to $T/a
profiler-report.html
profiler-reports

# and of a run that is still written at the end of the session, with all data that are there
$ -batch -ex 'set rule-actions on' -ex "rule add ProfilerReport output=$T/a LowGPUUtilization_patience=4 LowGPUUtilization_window=4" tests/samples/profile | cut -c1-99; grep -o '"RuleTriggered":[0-9]*' "$T"/a/profiler-reports/LowGPUUtilization.json
ProfilerReport is attached.
"RuleTriggered":2

# it is not written without being allowed, into a trial, or over a report that is there
$ -batch -ex "rule add ProfilerReport output=$T/a" -ex 'rule status' -ex 'info events -field text' tests/samples/profile | cut -c1-99 | grep report; ls "$T"
no report in $T/a: "set rule-actions on" allows it

$ -batch -ex 'set rule-actions on' -ex "rule add ProfilerReport output=tests/samples/profile/report" -ex 'rule status' -ex 'info events -field text' tests/samples/profile | cut -c1-99 | grep report; ls tests/samples/profile
no report in tests/samples/profile/report: tests/samples/profile/report: cannot write into a trial.
framework
system

$ -batch -ex "profile report $T/a" -ex 'set rule-actions on' -ex "rule add ProfilerReport output=$T/a" -ex 'rule status' -ex 'info events -field text' tests/samples/profile 2>/dev/null | cut -c1-150 | grep -c 'already exists'
1

$ -batch -readonly -ex 'set rule-actions on' -ex "rule add ProfilerReport output=$T/a" -ex 'rule status' -ex 'info events -field text' tests/samples/profile | cut -c1-99 | grep report; ls "$T"
no report in $T/a: Writing files is refused with --readonly.
