import type { Incident, IncidentFacts, PowerReading, RebuildRecord, RequestAnswer } from '@smalt/failure-detection';

type Heard = Pick<
  IncidentFacts,
  'readings' | 'fenceAnswer' | 'withheldFence' | 'evacuationAnswers' | 'cleanUpAnswer' | 'putOffAnswers'
>;

interface EvacuationAnswer {
  /** Which of the requests for the instance was answered. */
  readonly request: string;
  readonly answer: RequestAnswer;
}

/** What was answered to the orders of an incident and is not in its record yet. A restart loses it, and that is fine. */
export class IncidentMemory {
  #readings: readonly PowerReading[] = [];
  #fenceAnswer: string | undefined;
  #withheldFence: number | undefined;
  #cleanUpAnswer: Heard['cleanUpAnswer'];
  readonly #evacuations = new Map<string, EvacuationAnswer>();
  #putOffs: ReadonlyMap<string, { readonly isDone: boolean; readonly message: string }> = new Map();

  hearReading(reading: PowerReading): void {
    this.#readings = [...this.#readings, reading];
  }

  hearFence(answer: string): void {
    this.#fenceAnswer = answer;
  }

  /** Notes that the order to power off that was decided at this moment has not left and never will. */
  withholdFence(askedAt: number): void {
    this.#withheldFence = askedAt;
  }

  hearCleanUp(isDone: boolean, message: string): void {
    this.#cleanUpAnswer = { isDone, message };
  }

  hearPutOff(instanceId: string, isDone: boolean, message: string): void {
    this.#putOffs = new Map(this.#putOffs).set(instanceId, { isDone, message });
  }

  hearEvacuation(asked: RebuildRecord, answer: RequestAnswer): void {
    this.#evacuations.set(asked.id, { request: requestOf(asked), answer });
  }

  /** What the next decision about the incident has to know; an answer to an older request is none to the last one. */
  recall({ instances, readings }: Incident): Heard {
    const requests = new Map(instances.map((record) => [record.id, requestOf(record)]));
    const sessions = new Set(readings.map(({ session }) => session));
    const evacuationAnswers = new Map<string, RequestAnswer>();
    for (const [id, heard] of this.#evacuations) {
      if (heard.request === requests.get(id)) evacuationAnswers.set(id, heard.answer);
    }
    return {
      readings: this.#readings.filter(({ session }) => !sessions.has(session)),
      fenceAnswer: this.#fenceAnswer,
      withheldFence: this.#withheldFence,
      cleanUpAnswer: this.#cleanUpAnswer,
      putOffAnswers: this.#putOffs,
      evacuationAnswers,
    };
  }

  /** Forgets what a decision that is stored has taken in. */
  forget(heard: Heard): void {
    this.#readings = this.#readings.filter((reading) => !heard.readings.includes(reading));
    if (this.#fenceAnswer === heard.fenceAnswer) this.#fenceAnswer = undefined;
    if (this.#withheldFence === heard.withheldFence) this.#withheldFence = undefined;
    if (this.#cleanUpAnswer === heard.cleanUpAnswer) this.#cleanUpAnswer = undefined;
    if (this.#putOffs === heard.putOffAnswers) this.#putOffs = new Map();
    for (const [id, answer] of heard.evacuationAnswers) {
      if (this.#evacuations.get(id)?.answer === answer) this.#evacuations.delete(id);
    }
  }
}

function requestOf({ attempts, asks }: RebuildRecord): string {
  return `${attempts}/${asks}`;
}
