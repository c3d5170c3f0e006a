//go:build tools

package tool

import _ "github.com/coredns/coredns"
