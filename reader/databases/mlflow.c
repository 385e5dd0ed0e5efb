/* SPDX-License-Identifier: Apache-2.0 */
#include "reader/databases/mlflow.h"

static const struct sm_trial_traits traits = {
    .name = "mlflow",
    .label = "MLflow",
    .title = "MLflow run",
    .files = "MLflow's stores (mlflow.db, mlruns)",
    .runs = true,
};

static void find(struct sm_run_folder *folder)
{
    sm_mlflow_find_files(folder);
    sm_mlflow_find_tables(folder);
}

const struct sm_trial_kind sm_trial_kind_mlflow = SM_LOG_KIND(traits, sm_mlflow_format, find);
