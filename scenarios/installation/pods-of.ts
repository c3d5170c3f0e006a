import type { InstallationWorld } from './installation-world.ts';

/** A pod and what it runs. */
export interface RunningPod {
  readonly uid: string;
  readonly name: string;
  /** By `app.kubernetes.io/name`. */
  readonly part: string;
  readonly node: string | undefined;
  readonly phase: string;
  /** As they were asked for. */
  readonly images: readonly string[];
  /** What the runtime took for these names. */
  readonly imageIds: readonly string[];
}

interface Pod {
  readonly metadata: {
    readonly uid: string;
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: { readonly nodeName?: string; readonly containers: readonly { readonly image: string }[] };
  readonly status: { readonly phase: string; readonly containerStatuses?: readonly { readonly imageID: string }[] };
}

/** The pods that a selector finds, in all namespaces. Those that are about to go are among them. */
export async function podsOf(
  world: Pick<InstallationWorld, 'kubectl'>,
  selector: string,
): Promise<readonly RunningPod[]> {
  const text = await world.kubectl(['get', 'pods', '-A', '-l', selector, '-o', 'json']);
  const { items }: { readonly items: readonly Pod[] } = JSON.parse(text);
  return items.map(({ metadata, spec, status }) => ({
    uid: metadata.uid,
    name: metadata.name,
    part: metadata.labels?.['app.kubernetes.io/name'] ?? '',
    node: spec.nodeName,
    phase: status.phase,
    images: spec.containers.map(({ image }) => image),
    imageIds: (status.containerStatuses ?? []).map(({ imageID }) => imageID),
  }));
}
