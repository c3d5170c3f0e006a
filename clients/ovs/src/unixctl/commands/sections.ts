/** A part of a report: its title and the lines below. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

const TITLE = /^---- (.+) ----$/;

/** Cuts a report with lines such as `---- bond0 ----` into its sections. */
export function splitSections(text: string): readonly Section[] {
  const sections: { title: string; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const title = TITLE.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** What stands behind `name: ` on the first line that has it. */
export function valueOf(lines: readonly string[], name: string): string | undefined {
  return lines
    .map((line) => line.trim())
    .find((line) => line.startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim();
}
