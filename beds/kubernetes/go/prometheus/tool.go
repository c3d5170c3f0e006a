//go:build tools

package tool

import (
	_ "github.com/prometheus-operator/prometheus-operator/cmd/operator"
	_ "github.com/prometheus/prometheus/cmd/prometheus"
)
