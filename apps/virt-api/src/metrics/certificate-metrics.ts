import { CertificateExpiry, type MetricsRegistry } from '@smalt/service-runtime';

/** What Prometheus is told of the certificate that API servers are shown. */
export interface CertificateMetrics {
  /** The certificate that is shown from now on, as PEM. */
  show(certificate: string): void;
  /** Whether it could be looked at, renewed and published. */
  setCaredFor(isCaredFor: boolean): void;
}

/** Makes the metrics; nothing is wrong at first. */
export function certificateMetrics(metrics: MetricsRegistry): CertificateMetrics {
  const expiry = new CertificateExpiry(metrics, 'virt-api');
  const caredFor = metrics
    .gauge({
      name: 'smalt_virt_api_certificate_cared_for',
      help: 'Whether the certificate could be looked at, renewed and published when that was tried last.',
    })
    .cell([]);
  caredFor.set(1);
  return {
    show: (certificate) => expiry.tellOf(certificate),
    setCaredFor: (isCaredFor) => caredFor.set(Number(isCaredFor)),
  };
}
