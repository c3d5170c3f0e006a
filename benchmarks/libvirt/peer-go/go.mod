module smalt/benchmarks/libvirt/peer-go

go 1.25

require github.com/digitalocean/go-libvirt v0.0.0-20260217163227-273eaa321819

require golang.org/x/crypto v0.48.0 // indirect
