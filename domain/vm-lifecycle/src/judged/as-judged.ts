import type { KubernetesObject } from '@smalt/kubernetes';

/** An object as it was when something was decided about it. What costs it its life holds only while it is still so. */
export interface Judged {
  readonly name: string;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

export function asJudged({ name, uid, resourceVersion }: KubernetesObject['metadata']): Judged {
  return { name, uid, resourceVersion };
}
