import { describe, expect, it } from 'vitest';

import { BEGIN_MARK, END_MARK } from './lifecycle-document.ts';
import { lifecycleDiagram, lifecycleStateMeanings, usualTransitions, withLifecycle } from './index.ts';

describe('lifecycleDiagram', () => {
  it('draws an arrow for every transition, from the first state to the last', () => {
    const diagram = lifecycleDiagram([{ from: 'Active', to: 'Maintenance', because: 'maintenance is set' }]);

    expect(diagram).toBe(
      [
        'stateDiagram-v2',
        '  [*] --> Initial: a node appears',
        '  Active --> Maintenance: maintenance is set',
        '  Decommissioned --> [*]: its node goes',
      ].join('\n'),
    );
  });

  it('has labels that Mermaid can read', () => {
    for (const { because } of usualTransitions) expect(because).toMatch(/^[A-Za-z ,]+$/);
  });
});

describe('withLifecycle', () => {
  it('replaces what is between the marks, and nothing else', () => {
    const text = `before\n${BEGIN_MARK}\nold\n${END_MARK}\nafter\n`;

    const current = withLifecycle(text);

    expect(current).toMatch(/^before\n/);
    expect(current).toMatch(/\nafter\n$/);
    expect(current).not.toContain('\nold\n');
    for (const state of Object.keys(lifecycleStateMeanings)) expect(current).toContain(`| ${state} |`);
    expect(withLifecycle(current)).toBe(current);
  });

  it('refuses a text without the marks', () => {
    expect(() => withLifecycle('text')).toThrow('the text must have these two lines');
  });
});
