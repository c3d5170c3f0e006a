import { lifecycleDiagram } from './lifecycle-diagram.ts';
import { LifecycleState, lifecycleStateMeanings } from './lifecycle-state.ts';
import { otherTransitions, usualTransitions } from './lifecycle-transitions.ts';

/** Where in a text the part that is written from the code begins and ends. */
export const BEGIN_MARK =
  "<!-- Written by 'npm run generate' from domain/hypervisor-lifecycle, down to the next mark. -->";
export const END_MARK = '<!-- The end of what is generated. -->';

/** Puts the states, the diagram and the transitions, as they are in the code, between the marks of a text. */
export function withLifecycle(text: string): string {
  const begin = text.indexOf(BEGIN_MARK);
  const end = text.indexOf(END_MARK);
  if (begin === -1 || end < begin) throw new Error(`the text must have these two lines: ${BEGIN_MARK} and ${END_MARK}`);
  return `${text.slice(0, begin + BEGIN_MARK.length)}\n${lifecycleSection()}\n${text.slice(end)}`;
}

function lifecycleSection(): string {
  const states = Object.values(LifecycleState).map((state) => `| ${state} | ${lifecycleStateMeanings[state]} |`);
  const others = otherTransitions.map(({ from, to, because }) => `| ${from} | ${to} | ${because} |`);
  return [
    '| state | what it means |\n| --- | --- |',
    ...states,
    `\n\`\`\`mermaid\n${lifecycleDiagram(usualTransitions)}\n\`\`\`\n`,
    'Other ways, when somebody changes their mind or two things happen at about the same time:\n',
    '| from | to | because |\n| --- | --- | --- |',
    ...others,
  ].join('\n');
}
