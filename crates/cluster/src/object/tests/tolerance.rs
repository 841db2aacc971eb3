//! What is kept of objects that are partly wrong.
