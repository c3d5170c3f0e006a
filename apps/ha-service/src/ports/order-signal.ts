/** A signal that looks at the clocks and asks for the lead whenever it is asked. Only `order` makes one. */
export interface OrderSignal extends AbortSignal {
  readonly isPunctual: true;
}

/** A port of which the methods that are named, those that change something, are called by way of `order` alone. */
export type Ordered<Port, Writes extends keyof Port> = {
  readonly [Name in keyof Port]: Name extends Writes ? OrderOf<Port[Name]> : Port[Name];
};

type OrderOf<Method> = Method extends (...given: infer Given) => infer Answer
  ? (...given: { [Index in keyof Given]: Given[Index] extends AbortSignal ? OrderSignal : Given[Index] }) => Answer
  : Method;
