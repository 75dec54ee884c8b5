"""Probing an answer: the checker's questions, and the code that answers them in the answer's process.

An exercise is checked from outside. The checker never looks into the objects that a student made: it asks a
:class:`~d2lhybrid.internals.course.probing.session.Session` to do something with them, and judges the plain data that
comes back. In a notebook the session lives in the same process; when submissions are graded it lives in another one,
and the same questions travel through a pipe. Nothing in this package knows what is right.
"""

from .codec import CodecError, Opaque, decode, encode
from .session import AnswerError, Session

__all__ = ["AnswerError", "CodecError", "Opaque", "Session", "decode", "encode"]
