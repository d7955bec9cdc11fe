"""A simulation of eyes that see fewer colours: deuteranopia, protanopia, tritanopia, and grey.

The matrices are those of Machado, Oliveira and Fernandes (2009) for full dichromacy, in linear light. Tests
use them to check that signs can be told apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from PIL import Image, ImageFilter

from render.ink import Colour

Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]

KINDS: Mapping[str, Matrix] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "grey": ((0.2126, 0.7152, 0.0722), (0.2126, 0.7152, 0.0722), (0.2126, 0.7152, 0.0722)),
}


def _linear(value: float) -> float:
    """Convert a level of sRGB, 0 to 255, to linear light, 0 to 1."""
    value /= 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _encoded(value: float) -> int:
    """Convert linear light, 0 to 1, to a level of sRGB, 0 to 255."""
    value = max(0.0, min(1.0, value))
    return round(255 * (value * 12.92 if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055))


def seen(colour: Colour, kind: str) -> Colour:
    """Return a colour as an eye of this kind sees it; ``kind`` is a key of ``KINDS``."""
    light = [_linear(value) for value in colour]
    rows = KINDS[kind]
    red, green, blue = (_encoded(sum(a * b for a, b in zip(row, light, strict=True))) for row in rows)
    return red, green, blue


def luminance(colour: Colour) -> float:
    """Return the relative luminance of a colour, 0 to 1."""
    red, green, blue = (_linear(value) for value in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, other: Colour) -> float:
    """Return the contrast of two colours, 1 to 21, as WCAG defines it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=8)
def _table(kind: str) -> ImageFilter.Color3DLUT:
    """Return a table of 17³ colours as an eye of this kind sees them; Pillow interpolates between them."""
    size = 17
    steps = [round(255 * at / (size - 1)) for at in range(size)]
    table = [
        value / 255
        for blue in steps
        for green in steps
        for red in steps
        for value in seen((red, green, blue), kind)
    ]
    return ImageFilter.Color3DLUT(size, table)


def simulate(image: Image.Image, kind: str) -> Image.Image:
    """Return a picture as an eye of this kind sees it, approximately: it interpolates in a table."""
    image = image.convert("RGB")
    return image if kind == "full" else image.filter(_table(kind))
