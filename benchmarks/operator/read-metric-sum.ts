/** The sum of all series of a metric that a process on loopback tells; undefined while there are none. */
export async function readMetricSum(port: number, name: string): Promise<number | undefined> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    (response) => (response.ok ? response.text() : ''),
    // Nobody listens yet.
    () => '',
  );
  return metricSum(text, name);
}

/** The same, of what was read. */
export function metricSum(text: string, name: string): number | undefined {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  if (lines.length === 0) return undefined;
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
