/** The sections of a configuration file, in order. */
export type IniSections = Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>;

/** Writes sections the way oslo.config reads them. */
export function renderIni(sections: IniSections): string {
  return Object.entries(sections)
    .map(([name, values]) => {
      const lines = Object.entries(values).map(([key, value]) => `${key} = ${String(value)}\n`);
      return `[${name}]\n${lines.join('')}`;
    })
    .join('\n');
}
