import type { AdmissionReview, ApiServer, Incoming, LocalApi, UpgradeCall } from '@smalt/apiserver';
import { printJson } from '@smalt/json';

import type { AdmissionWrite } from '../admission/admission-write.ts';
import { ADMITTED_GROUPS } from '../admission/virt-admission.ts';
import { readBody } from '../read-body.ts';
import { resourceList } from '../subresources/discovery-documents.ts';
import { findSubresource, SUBRESOURCE_GROUP, SUBRESOURCE_VERSIONS } from '../subresources/find-subresource.ts';
import { openApiDocuments } from '../subresources/openapi-documents.ts';
import { statusOfError } from '../status-of-error.ts';
import type { VirtApiParts } from '../virt-api-parts.ts';

/** As much of a server as is needed to plug into it. */
export type ApiServerHooks = Pick<ApiServer, 'admission' | 'apis' | 'refusal'>;

/** Takes the subresources away again. Admission stays for as long as the server does: nothing gets past it. */
export type Unplug = () => void;

const PARTS_OF_PODS = new Set(['', 'status', 'eviction']);
const MOST_BODY_BYTES = 3 * 1024 * 1024;

/**
 * Makes a server of this process admit virtual machines and serve their subresources, without webhooks and without an
 * APIService. Who may ask is decided by the server, by the same rights as on Kubernetes.
 */
export function plugVirtApi(server: ApiServerHooks, parts: VirtApiParts): Unplug {
  const { admission, metrics } = parts;
  server.admission.add({
    mutate: (review, signal) => (isConcerned(review) ? admission.mutate(writeOf(review), signal) : review.object),
    validate: async (review, signal) => {
      if (!isConcerned(review)) return;
      await refusing(server, async () => {
        const warnings = await admission.validate(writeOf(review), signal);
        metrics.countReview(review.resource.plural, true);
        for (const warning of warnings) review.addWarning(warning);
      }).catch((error: unknown) => {
        metrics.countReview(review.resource.plural, false);
        throw error;
      });
    },
  });
  const removals = SUBRESOURCE_VERSIONS.map((version) =>
    server.apis.registerApi(SUBRESOURCE_GROUP, version, localApi(server, parts, version)),
  );
  return () => {
    for (const remove of removals) remove();
  };
}

function localApi(server: ApiServerHooks, parts: VirtApiParts, version: string): LocalApi {
  return {
    discovery: resourceList(version),
    documents: openApiDocuments(version),
    serve: (_user, incoming) => refusing(server, () => serve(parts, incoming)),
    upgrade: (call) => refusing(server, () => upgrade(parts, call)),
  };
}

async function serve({ subresources, metrics }: VirtApiParts, { exchange, info }: Incoming): Promise<void> {
  const request = findSubresource({ method: exchange.method, path: info.path, query: info.query });
  try {
    const body = await readBody(exchange.request, MOST_BODY_BYTES, exchange.signal);
    const answer = await subresources.call({ request, body, signal: exchange.signal });
    if (answer.body === undefined) exchange.sendEmpty(answer.code);
    else exchange.send(answer.code, 'application/json', printJson(answer.body));
    metrics.countCall(request.route.name, answer.code);
  } catch (error) {
    metrics.countCall(request.route.name, statusOfError(error)?.code ?? 500);
    throw error;
  }
}

async function upgrade({ subresources, metrics }: VirtApiParts, call: UpgradeCall): Promise<void> {
  const { info, socket, head, signal } = call;
  const request = findSubresource({ method: call.request.method ?? 'GET', path: info.path, query: info.query });
  const started = (code: number): void => {
    metrics.countCall(request.route.name, code);
    call.started?.(code);
  };
  await subresources.stream(request, { headers: call.request.headers, socket, head, signal, started });
}

/** Tells the server of refusals in the form that it passes on to clients. */
async function refusing(server: Pick<ApiServerHooks, 'refusal'>, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    const status = statusOfError(error);
    throw status === undefined ? error : server.refusal(status);
  }
}

function isConcerned({ resource, subresource }: AdmissionReview): boolean {
  if (ADMITTED_GROUPS.has(resource.group)) return true;
  return resource.group === '' && resource.plural === 'pods' && PARTS_OF_PODS.has(subresource);
}

function writeOf(review: AdmissionReview): AdmissionWrite {
  const { resource, operation, subresource, namespace, name, object, oldObject, user, dryRun } = review;
  const { group, plural } = resource;
  return { operation, group, plural, subresource, namespace, name, object, oldObject, user, dryRun, isProven: true };
}
