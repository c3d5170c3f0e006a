import type { Gauge, MetricsRegistry } from './metrics-registry.ts';
import type { MetricFamily } from './metric-family.ts';

/** Tells Prometheus when the TLS certificate that a program uses expires, by one metric for all programs. */
export class CertificateExpiry {
  readonly #family: MetricFamily<Gauge>;
  readonly #name: string;

  /** The name is that of who shows the certificate, such as `virt-api`. Nothing is told until `tell` or `tellOf`. */
  constructor(metrics: Pick<MetricsRegistry, 'gauge'>, name: string) {
    this.#name = name;
    this.#family = metrics.gauge({
      name: 'smalt_tls_certificate_expiry_seconds',
      help: 'When the TLS certificate that is in use expires, in seconds since 1970.',
      labelNames: ['certificate'],
    });
  }

  tell(end: Date): void {
    this.#family.cell([this.#name]).set(Math.floor(end.getTime() / 1000));
  }

  /** Of several in one PEM, the first one is shown, and counts. */
  tellOf(pem: string): void {
    // Not imported: programs without certificates need not load it.
    const { X509Certificate } = process.getBuiltinModule('node:crypto');
    this.tell(new X509Certificate(pem).validToDate);
  }
}
