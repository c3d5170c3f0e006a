import { wallTime } from '../../format-time.ts';
import { IssueRule } from '../../issue-rule.ts';
import { shellWord } from '../../shell-word.ts';
import { databaseOldNews } from '../../status/old-news.ts';
import type { Finding, Verdict } from '../finding.ts';
import type { RuleView } from '../rule-view.ts';

/** The key in `external_ids` by which a mirror that a capture has made is known. */
const CAPTURE_MARK = 'smalt-capture';
/** Until when it may run: another agent's is left alone until then. */
const EXPIRES_MARK = 'smalt-expires';

/** A mirror of a capture that does not run any more. It copies traffic for nobody. */
export function captureVerdict({ facts, settings }: RuleView): Verdict {
  const rule = IssueRule.leftoverCapture;
  const blind = databaseOldNews(facts);
  if (blind !== undefined || facts.configuration === undefined) return { rule, findings: [], ...(blind && { blind }) };
  const findings = facts.configuration.bridges.flatMap((bridge) =>
    bridge.mirrors
      .filter(({ externalIds }) => isLeftover(externalIds, facts))
      .map(({ name, outputPort }): Finding => ({
        rule,
        subject: `${bridge.name}/${name}`,
        severity: 'Warning',
        message: `Mirror ${name} of ${bridge.name} is left over from a packet capture`,
        advice: removalOf(name, bridge.name, outputPort),
        seenAt: facts.at,
        graceMs: settings.captureMs,
        sightings: 2,
      })),
  );
  return { rule, findings };
}

function removalOf(mirror: string, bridge: string, outputPort: string | undefined): string {
  const [name, from, output] = [mirror, bridge, outputPort ?? 'none'].map((each) => shellWord(each));
  const isSafe = name !== undefined && from !== undefined && output !== undefined;
  if (!isSafe) return 'Remove it from the mirrors of its bridge';
  const end = outputPort === undefined ? '' : ` -- --if-exists del-port ${output}`;
  return `Remove it: ovs-vsctl -- --id=@m get mirror ${name} -- remove bridge ${from} mirrors @m${end}`;
}

function isLeftover(
  marks: ReadonlyMap<string, string>,
  facts: Pick<RuleView['facts'], 'runningCaptures' | 'at' | 'wallAheadMs'>,
): boolean {
  const capture = marks.get(CAPTURE_MARK);
  if (capture === undefined || facts.runningCaptures?.has(capture) === true) return false;
  const expires = Date.parse(marks.get(EXPIRES_MARK) ?? '');
  return Number.isNaN(expires) || expires <= wallTime(facts);
}
