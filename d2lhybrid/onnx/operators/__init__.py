"""Translations of operators, grouped by topic. All files in this folder are imported automatically.

The name of the operator is the argument of the decorator ``@translates``. All translations have the same form. The
first parameter, ``g``, is the :class:`~d2lhybrid.onnx.builder.Builder` of the ONNX graph. The next parameters are the
operator's inputs as :class:`~d2lhybrid.onnx.values.Value` objects, with None for a missing optional input. The
operator's attributes are keywords. A translation returns the operator's output as a Value, or a sequence of outputs.
If ONNX cannot express the call, the translation raises :class:`~d2lhybrid.onnx.translations.Untranslatable`.
"""
