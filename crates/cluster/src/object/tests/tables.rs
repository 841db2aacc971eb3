//! A row for each feature of the dialect and for each refusal.
