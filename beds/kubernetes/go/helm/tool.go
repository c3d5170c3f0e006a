//go:build tools

package tool

import _ "helm.sh/helm/v4/cmd/helm"
