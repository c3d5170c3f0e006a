import type { Logger } from '@smalt/service-runtime';

import { AggregatedApis } from '../aggregation/aggregated-apis.ts';
import { FrontProxy } from '../aggregation/front-proxy.ts';
import { publishAuthentication } from '../aggregation/publish-authentication.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { CertificateSigner } from '../controllers/certificate-signer.ts';
import type { ControllerDependencies } from '../controllers/controller-dependencies.ts';
import { DisruptionBudgets } from '../controllers/disruption-budgets.ts';
import { ObjectExpiry } from '../controllers/expire-objects.ts';
import { GarbageCollector } from '../controllers/garbage-collector.ts';
import { NamespaceDefaults } from '../controllers/namespace-defaults.ts';
import { NamespaceDeletion } from '../controllers/namespace-deletion.ts';
import { WorkLoop } from '../controllers/work-loop.ts';
import type { CertificateAuthority } from '../identity/certificate-authority.ts';
import type { Registry } from '../registry/registry.ts';
import type { Store } from '../store/store.ts';
import { systemContext } from './system-context.ts';

export interface ControllerParts {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly log: Logger;
}

/** What the loops of the server need; the name stands in the log when one of them fails. */
export function controllerDependencies(parts: ControllerParts, name: string): ControllerDependencies {
  const { store, catalog, registry, log } = parts;
  return {
    store,
    catalog,
    registry,
    now: Date.now,
    contextFor: systemContext,
    onFailure: (resource, error) => log.warn({ controller: name, resource, error }, 'a loop failed and tries again'),
  };
}

/**
 * Starts the loops that keep the objects of the server in order, and returns the one that follows other API servers.
 * They stop when the stack is disposed of.
 */
export function startControllers(
  parts: ControllerParts,
  authority: CertificateAuthority,
  stack: Pick<AsyncDisposableStack, 'use'>,
): AggregatedApis {
  const deps = (name: string): ControllerDependencies => controllerDependencies(parts, name);
  stack.use(new GarbageCollector(deps('garbage-collector')));
  stack.use(new NamespaceDeletion(deps('namespace-deletion')));
  stack.use(new NamespaceDefaults(deps('namespace-defaults'), authority.certificate));
  stack.use(new CertificateSigner(deps('certificate-signer'), authority));
  stack.use(new DisruptionBudgets(deps('disruption-budgets')));
  stack.use(new ObjectExpiry(deps('object-expiry')));
  const proxy = new FrontProxy(new Date());
  publish(deps('front-proxy'), proxy, authority, stack);
  return stack.use(new AggregatedApis(deps('aggregation'), proxy));
}

function publish(
  deps: ControllerDependencies,
  proxy: FrontProxy,
  authority: CertificateAuthority,
  stack: Pick<AsyncDisposableStack, 'use'>,
): void {
  const loop = stack.use(
    new WorkLoop({
      reconcile: async (_key, signal) => {
        await publishAuthentication(deps, proxy.published(authority.certificate), signal);
        return undefined;
      },
      onFailure: deps.onFailure,
    }),
  );
  loop.add('extension-apiserver-authentication');
}
