import type { MetricsRegistry } from '@smalt/service-runtime';

/** What a handler counts about itself. */
export interface HandlerMetrics {
  countPartFailure(part: string): void;
  setActing(isActing: boolean): void;
}

/** Adds the metrics of the handler itself. Once per registry. */
export function addHandlerMetrics(
  metrics: MetricsRegistry,
  { nodeName, version }: { readonly nodeName: string; readonly version: string },
): HandlerMetrics {
  metrics
    .gauge({
      name: 'smalt_virt_handler_info',
      help: 'Always 1; the labels say which handler this is.',
      labelNames: ['node', 'version'],
    })
    .cell([nodeName, version])
    .set(1);
  const acting = metrics.gauge({
    name: 'smalt_virt_handler_acting',
    help: 'Whether this handler is the one that acts on its node.',
  });
  const parts = metrics.counter({
    name: 'smalt_virt_handler_part_failures_total',
    help: 'How often a part of the handler failed and was started again.',
    labelNames: ['part'],
  });
  return {
    countPartFailure: (part) => parts.cell([part]).add(),
    setActing: (isActing) => acting.cell([]).set(isActing ? 1 : 0),
  };
}
