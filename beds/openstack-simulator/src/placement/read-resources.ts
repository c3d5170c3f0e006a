import type { Resources } from '../books/placement-books.ts';
import { refusal } from '../simulator-error.ts';

/** Reads `VCPU:1,MEMORY_MB:512`. */
export function readResources(text: string | null): Resources {
  if (text === null) return {};
  const amounts = text.split(',').map((part): [string, number] => {
    const [name = '', amount] = part.split(':');
    return [name, Number(amount)];
  });
  if (amounts.some(([name, amount]) => name === '' || !Number.isInteger(amount) || amount < 1)) {
    throw refusal(
      400,
      `Badly formed resources parameter. Expected resources query string parameter in form: ?resources=VCPU:2,MEMORY_MB:1024. Got: ${text}.`,
    );
  }
  return Object.fromEntries(amounts);
}
