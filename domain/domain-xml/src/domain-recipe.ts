import type { DomainStep } from './domain-step.ts';
import type { DomainStyle } from './domain-style.ts';

/** How one hypervisor wants its domains: a driver of `@smalt/hypervisors` is one. */
export interface DomainRecipe extends DomainStyle {
  /** What a domain is made of, in the order of the XML. */
  readonly domainSteps: readonly DomainStep[];
}
