"""scikit-learn's own checks of an estimator."""

import pytest
from sklearn.utils.estimator_checks import check_estimator, estimator_checks_generator

from eqlearner import EQLRegressor

EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": "weights are 1/σ² of the rows' errors, not counts: a row that is "
    "given twice adds a degree of freedom, and may be on both sides of the split into training and validation",
}

# Those that fit nothing, or little; --long runs all.
SHORT = {
    "check_estimator_cloneable",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_fit_score_takes_y",
    "check_estimators_overwrite_params",
    "check_estimators_unfitted",
    "check_do_not_raise_errors_in_init_or_set_params",
    "check_n_features_in_after_fitting",
    "check_mixin_order",
    "check_complex_data",
    "check_estimators_empty_data_messages",
    "check_estimators_nan_inf",
    "check_estimator_sparse_tag",
    "check_estimator_sparse_array",
    "check_estimators_pickle",
}


def test_check_estimator(long):
    if not long:
        pytest.skip("takes minutes; --long runs it")
    check_estimator(EQLRegressor(time_limit=1), expected_failed_checks=EXPECTED_FAILURES)


def test_check_estimator_short():
    done = set()
    for estimator, check in estimator_checks_generator(EQLRegressor(time_limit=1)):
        if check.func.__name__ in SHORT - done:
            check(estimator)
            done.add(check.func.__name__)
    assert done == SHORT
