//go:build tools

package tool

import _ "go.etcd.io/etcd/server/v3"
