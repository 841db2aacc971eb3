//! A real etcd and kube-apiserver for tests, started and stopped by them.
