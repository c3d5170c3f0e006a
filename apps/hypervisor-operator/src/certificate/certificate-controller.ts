import { done, requeueAfter, source, type ControllerOptions } from '@smalt/controller-runtime';
import { isKubeError, type KubeError } from '@smalt/kube';

import { applyDependent } from '../dependents/apply-dependent.ts';
import { isNodeWorthALook } from '../nodes/is-node-worth-a-look.ts';
import type { OperatorContext } from '../operator-context.ts';
import { certificateKind } from './certificate.ts';
import type { CertificateSettings } from './certificate-settings.ts';
import { CertificateStore } from './certificate-store.ts';
import { certificateTrouble, decideCertificate, needsCertificate } from './decide-certificate.ts';

/** The name of the controller, which owns its fields under it. */
const NAME = 'certificate';
/** The reason of events about nodes that get no certificate. */
const TROUBLE = 'CertificateFailed';
/** A cache that does not fill must not hold a worker for ever. */
const TIMEOUT_MS = 60_000;

export type CertificateContext = Pick<
  OperatorContext,
  'client' | 'informers' | 'nodes' | 'hypervisors' | 'clock' | 'recorder'
>;

/** Asks cert-manager for the TLS certificates of hosts, and keeps what is asked for in line with their addresses. */
export function createCertificateController(
  context: CertificateContext,
  settings: CertificateSettings,
): ControllerOptions {
  const { nodes, hypervisors, recorder } = context;
  const client = context.client.resource(certificateKind);
  const store = new CertificateStore(context, settings);
  return {
    name: NAME,
    concurrency: settings.concurrency,
    timeoutMs: TIMEOUT_MS,
    sources: [
      source(nodes, isNodeWorthALook),
      source(hypervisors, ({ old, current }) => old?.spec !== current?.spec),
      store,
    ],
    reconcile: async (key, signal) => {
      const node = nodes.cache.get(key);
      if (settings.when === 'never' || node === undefined) return done;
      if (!needsCertificate(node, hypervisors.cache.get(key))) return done;
      const cache = await store.open(signal);
      if (cache === undefined) return requeueAfter(settings.resyncMs);
      const trouble = certificateTrouble(node);
      if (trouble !== undefined) {
        await recorder.record(node, 'Warning', TROUBLE, trouble);
        return done;
      }
      try {
        await applyDependent({ client, cache, fieldManager: NAME }, decideCertificate(node, settings), signal);
      } catch (error) {
        if (isRefusal(error)) await recorder.record(node, 'Warning', TROUBLE, refusalMessage(error, settings));
        throw error;
      }
      return done;
    },
  };
}

/** Whether it takes a person to mend it, who does not read the log. */
function isRefusal(error: unknown): error is KubeError {
  return isKubeError(error, 'invalid', 'forbidden', 'not-found', 'bad-request');
}

function refusalMessage({ message }: KubeError, { namespace }: CertificateSettings): string {
  return `The certificate for libvirt cannot be asked for in the namespace ${namespace}: ${message}`;
}
