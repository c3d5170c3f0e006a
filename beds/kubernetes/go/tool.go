//go:build tools
package tool
import _ "k8s.io/kubernetes/cmd/kube-apiserver"
