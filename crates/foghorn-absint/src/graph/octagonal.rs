//! Octagons (placeholder while building).
