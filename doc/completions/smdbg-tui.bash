# SPDX-License-Identifier: Apache-2.0
# Written by doc/completions.c from the program's tables: change the tables, then run make doc.
_smdbg_tui() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words= files= several= list=
    COMPREPLY=()
    if [[ $word = = ]]; then word=
    elif [[ $before = = ]]; then before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    compopt -o filenames 2>/dev/null
    if [[ ${COMP_WORDS[1]} = sample && $COMP_CWORD -gt 1 ]]; then
    case $before in
        -o|--out) files=-d ;;
        -i|--interval) return ;;
        -p|--pid) return ;;
        -n|--node) return ;;
        --sensors) files=-d ;;
        *) case $word in
               -*) words="-o --out -i --interval -p --pid -n --node --sensors -h --help " ;;
               *) files=-f ;;
           esac ;;
    esac
    else
    case $before in
        -x|--command) files=-f ;;
        -ex|--eval-command) words="act add-trial alias apropos assert at backtrace bisect bookmark break close commands complete condition confusion continue define delete diff disable display doctor document down dprintf echo enable eval explain find focus frame goto hang health heatmap help hist history if ignore image info key layers layout list log loop_break loop_continue next open output pane pipe plot print printf profile ptype quit range refresh remove-trial report reverse-continue reverse-next reverse-step rule run runs save scatter screen series set shell show silent snapshot source spark stat step strip tbreak tensor tensors trial tui undisplay until up updates verdict wait watch whatis while why winheight winwidth with x " ;;
        -ix|--init-command) files=-f ;;
        -iex|--init-eval-command) words="act add-trial alias apropos assert at backtrace bisect bookmark break close commands complete condition confusion continue define delete diff disable display doctor document down dprintf echo enable eval explain find focus frame goto hang health heatmap help hist history if ignore image info key layers layout list log loop_break loop_continue next open output pane pipe plot print printf profile ptype quit range refresh remove-trial report reverse-continue reverse-next reverse-step rule run runs save scatter screen series set shell show silent snapshot source spark stat step strip tbreak tensor tensors trial tui undisplay until up updates verdict wait watch whatis while why winheight winwidth with x " ;;
        --args) return ;;
        -layout|--layout) words="main plots value rules health compare checkpoints model run runs system profile report trace memory hang cmd next prev " ;;
        -i|--interpreter) words="console tui json " ;;
        --steps) return ;;
        --mode) return ;;
        --worker) return ;;
        --rules) words="auto vanishing_gradient exploding_tensor dead_relu saturated_activation poor_weight_initialization weight_update_ratio all_zero tensor_variance unchanged_tensor loss_not_decreasing overfit overtraining similar_across_runs stalled_training_rule class_imbalance confusion check_input_images nlp_sequence_ratio feature_importance_overweight tree_depth create_xgboost_report identical_weights initial_weight_variance large_gradient gradient_scale zero_neurons output_change_ratio loss_limit loss_plateau data_imbalance input_normalization feature_redundancy per_class_quality data_drift cpu_bottleneck io_bottleneck low_gpu_utilization step_outlier gpu_memory_increase batch_size max_initialization_time load_balancing overall_system_usage dataloader overall_framework_metrics profiler_report expr " files=-f several=1 ;;
        --shard) return ;;
        -d|--delay) return ;;
        --color) words="auto always never " ;;
        --symbols) words="auto braille block ascii " ;;
        --replay) return ;;
        --demo) words="list healthy vanishing_gradient exploding_tensor dead_relu poor_weight_initialization saturated_activation loss_not_decreasing overfit class_imbalance unnormalized_input stalled all_zero unchanged_tensor " ;;
        --seed) return ;;
        --out) files=-d ;;
        --speed) return ;;
        --interval) return ;;
        --threads) return ;;
        --keys) files=-f ;;
        --size) return ;;
        *) case $word in
               -*) words="-x --command -ex --eval-command -ix --init-command -iex --init-eval-command --args -n --nx --nh -batch -batch-silent --keep-going --stop-on-error -q --quiet --tui -layout --layout -nw --no-tui -i --interpreter --steps --mode --worker --follow --no-follow --wait --rules --no-rules --json --shard -d --delay -C --no-color --color -U --ascii --symbols -M --no-mouse --mouse --readonly --allow-shell --check --inspect --replay --demo --seed --out --speed --interval --threads --keys --size --version -h --help " ;;
               *) files=-f ;;
           esac ;;
    esac
    [[ $COMP_CWORD -gt 1 || -z $files ]] || words=sample
    fi
    local IFS=$' \t\n'
    [[ -z $several || $word != *,* ]] || list=${word%,*}, files=
    [[ -z $words ]] || COMPREPLY+=($(compgen -P "$list" -W "$words" -- "${word#"$list"}"))
    IFS=$'\n'
    [[ -z $files ]] || COMPREPLY+=($(compgen $files -- "$word"))
}
complete -F _smdbg_tui smdbg-tui
