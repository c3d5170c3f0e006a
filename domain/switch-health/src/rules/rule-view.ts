import type { HealthMemory } from '../health-memory.ts';
import type { HealthSettings } from '../health-settings.ts';
import type { SwitchFacts } from '../switch-facts.ts';
import type { JudgedPort } from './ports/judged-port.ts';

/** What only several looks together tell. */
export type Histories = Omit<HealthMemory, 'sightings' | 'inherited' | 'conditions'>;

/** What histories are made from. */
export type HistoryView = Omit<RuleView, 'histories'>;

/** What a rule looks at. */
export interface RuleView {
  readonly facts: SwitchFacts;
  readonly settings: HealthSettings;
  readonly histories: Histories;
  /** All interfaces, with what they are. */
  readonly ports: readonly JudgedPort[];
}
