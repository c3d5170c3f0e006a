import { IssueRule } from '../../issue-rule.ts';
import { isLinkNews, oldNews } from '../../status/old-news.ts';
import { isBond, linkWord } from '../../status/physical-interfaces.ts';
import type { SwitchFacts } from '../../switch-facts.ts';
import type { Finding, Verdict } from '../finding.ts';
import type { RuleView } from '../rule-view.ts';
import type { Fault } from '../histories/steadiness.ts';
import { hasNoDevice } from '../ports/device-rules.ts';
import type { JudgedPort } from '../ports/judged-port.ts';
import { steadinessFinding } from './steadiness-finding.ts';

const rule = IssueRule.linkDown;

/** Network cards that are gone or have no link. Those in bonds are told by their bond. */
export function cardVerdict(view: RuleView): Verdict {
  const { facts, ports } = view;
  const blind = oldNews(facts);
  if (blind !== undefined) return { rule, findings: [], blind };
  const cards = singleCards(ports);
  const unseen = cards.filter((card) => cardFault(card, view) === 'unseen').map((card) => card.interface.name);
  const findings = cards.flatMap((card) => cardFinding(card, view));
  if (unseen.length === 0) return { rule, findings };
  const why = `ovs-vswitchd does not tell of ${unseen.join(', ')}`;
  return { rule, findings, blind: { why, reason: 'LinkUnknown', subjects: new Set(unseen) } };
}

/** Network cards that are a port by themselves, each name once. */
export function singleCards(ports: readonly JudgedPort[]): readonly JudgedPort[] {
  const cards = ports.filter(({ isPhysical, port }) => isPhysical && !isBond(port));
  return [...new Map(cards.map((card) => [card.interface.name, card])).values()];
}

/** What is wrong with a card now: worst where nothing else leads out of its bridge. */
export function cardFault(
  card: JudgedPort,
  { facts, ports }: { readonly facts: SwitchFacts; readonly ports: readonly JudgedPort[] },
): Fault | 'unseen' | undefined {
  const word = linkWord(card.interface);
  if (word === 'Unknown' || !isLinkNews(facts)) return 'unseen';
  if (word === 'Up') return undefined;
  const others = ports.filter(({ bridge, isPhysical }) => isPhysical && bridge === card.bridge);
  const isLast = others.every((other) => linkWord(other.interface) !== 'Up');
  return { severity: isLast ? 'Critical' : 'Warning', word: howDown(card), troubles: '' };
}

function howDown(card: JudgedPort): string {
  if (hasNoDevice(card)) return 'gone';
  return card.interface.adminState === 'down' ? 'switched off' : 'without a link';
}

function cardFinding(card: JudgedPort, view: RuleView): readonly Finding[] {
  const { facts, histories, settings } = view;
  const fault = cardFault(card, view);
  if (fault === 'unseen') return [];
  const { name } = card.interface;
  const shown = { name: `Network card ${name} of ${card.bridge.name}`, present: fault, at: facts.at, settings };
  return steadinessFinding(
    { ...shown, steadiness: histories.cards.get(name) },
    {
      rule,
      subject: name,
      advice: hasNoDevice(card)
        ? 'Look at the log of the kernel for why it went, and at whether it has another name now'
        : 'Look at its cable, and at the port of the switch it leads to',
    },
  );
}
