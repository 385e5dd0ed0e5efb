# SPDX-License-Identifier: Apache-2.0
"""What log() takes for a number."""

import numbers


def _element(value):
    """The one element of an array or tensor of any framework. Raises TypeError if it is none or has several."""
    if hasattr(value, "detach"):
        value = value.detach()
    elif hasattr(value, "numpy") and not hasattr(value, "item"):
        value = value.numpy()
    shape = getattr(value, "shape", None)
    if shape is None or not hasattr(value, "item"):
        raise TypeError
    count = 1
    for extent in shape:
        count *= int(extent)
    if count != 1:
        raise TypeError
    return value.item()


def number(value):
    """The value as a float: a Python number, an element of NumPy, a tensor with one element. Raises if it is none."""
    if type(value) is float:
        return value
    if not isinstance(value, numbers.Number):
        value = _element(value)
    if isinstance(value, numbers.Complex) and not isinstance(value, numbers.Real):
        raise TypeError
    if not isinstance(value, numbers.Number):
        raise TypeError
    return float(value)
