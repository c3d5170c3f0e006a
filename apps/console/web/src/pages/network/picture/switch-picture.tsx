import { useRef, type KeyboardEvent, type ReactElement } from 'react';

import { fitText } from './fit-text.ts';
import type { Box } from './flow-boxes.ts';
import { groupWords, type PortCard } from './gather-ports.ts';
import { nextCard } from './next-card.ts';
import classes from './switch-picture.module.css';
import type { BundleBox, CardBox } from './layout-boxes.ts';
import type { BridgeBox, GroupLine, SwitchLayout } from './switch-layout.ts';

export interface SwitchPictureProps {
  readonly label: string;
  readonly layout: SwitchLayout;
  /** The id of the card that is looked at. */
  readonly chosen: string | undefined;
  readonly onChoose: (card: PortCard) => void;
  /** Opens or folds a group. */
  readonly onTurn: (group: string) => void;
}

const NAME_PX = 7.4;
const DETAIL_PX = 6.2;

/** A switch as a picture: one stop of the Tab key for all ports, arrows from one to the next. */
export function SwitchPicture({ label, layout, chosen, onChoose, onTurn }: SwitchPictureProps): ReactElement {
  const svg = useRef<SVGSVGElement>(null);
  const stop = chosen ?? layout.cards[0]?.card.id;
  const move = (from: CardBox, event: KeyboardEvent): void => {
    const to = nextCard(layout.cards, from, event.key);
    if (to === undefined) return;
    event.preventDefault();
    svg.current?.querySelector<SVGGElement>(`[data-card="${CSS.escape(to.card.id)}"]`)?.focus();
  };
  return (
    <svg
      ref={svg}
      className={classes.picture}
      width={layout.width}
      height={layout.height}
      viewBox={`0 0 ${layout.width} ${layout.height}`}
      role="group"
      aria-label={`${label}. The part Ports says the same as a table.`}
    >
      {layout.bridges.map((bridge) => (
        <BridgeShape key={bridge.name} bridge={bridge} />
      ))}
      {layout.links.map(({ id, path }) => (
        <path key={id} d={path} className={classes.link} />
      ))}
      {layout.lines.map((line) => (
        <LineShape key={line.group.id} line={line} onTurn={onTurn} />
      ))}
      {layout.cards.map((box) => (
        <CardShape
          key={box.card.id}
          box={box}
          isChosen={box.card.id === chosen}
          isStop={box.card.id === stop}
          onChoose={onChoose}
          onMove={move}
        />
      ))}
      {layout.bundles.map((bundle) => (
        <BundleShape key={bundle.id} bundle={bundle} onTurn={onTurn} />
      ))}
    </svg>
  );
}

function BridgeShape({ bridge }: { readonly bridge: BridgeBox }): ReactElement {
  const { name, ports, x, y, width } = bridge;
  return (
    <g className={classes.bridge}>
      <rect {...rectOf(bridge)} rx={8} />
      <text x={x + 12} y={y + 24} className={classes.title}>
        {fitText(name, width - 110, 9)}
      </text>
      <text x={x + width - 12} y={y + 24} textAnchor="end" className={classes.detail}>
        {ports === 1 ? '1 port' : `${ports} ports`}
      </text>
    </g>
  );
}

function LineShape({
  line,
  onTurn,
}: {
  readonly line: GroupLine;
  readonly onTurn: (group: string) => void;
}): ReactElement {
  const { group, canFold, isOpen, x, y } = line;
  const words = groupWords(group);
  if (!canFold) {
    return (
      <text x={x} y={y + 19} className={classes.group}>
        {words}
      </text>
    );
  }
  return (
    <g {...buttonOf(() => onTurn(group.id))} tabIndex={0} aria-expanded={isOpen} className={classes.turn}>
      <rect {...rectOf(line)} rx={4} />
      <text x={x + 4} y={y + 19} className={classes.group}>
        {`${isOpen ? '▾' : '▸'} ${words}`}
      </text>
    </g>
  );
}

interface CardShapeProps {
  readonly box: CardBox;
  readonly isChosen: boolean;
  /** Whether the Tab key stops here. */
  readonly isStop: boolean;
  readonly onChoose: (card: PortCard) => void;
  readonly onMove: (from: CardBox, event: KeyboardEvent) => void;
}

function CardShape({ box, isChosen, isStop, onChoose, onMove }: CardShapeProps): ReactElement {
  const { card, members } = box;
  const said = members.map(({ member }) => `${member.name} ${member.detail}`).join(', ');
  return (
    <g
      {...buttonOf(
        () => onChoose(card),
        (event) => onMove(box, event),
      )}
      tabIndex={isStop ? 0 : -1}
      data-card={card.id}
      data-tone={card.tone}
      aria-pressed={isChosen}
      aria-label={`${card.port} on ${card.bridge}: ${card.detail}${said === '' ? '' : `; ${said}`}`}
      className={classes.card}
    >
      <title>{`${card.port}: ${card.detail}`}</title>
      <rect {...rectOf(box)} rx={5} />
      <TwoLines box={box} name={card.port} detail={card.detail} />
      {members.map(({ member, ...place }) => (
        <g key={member.name} data-tone={member.tone} className={classes.card}>
          <rect {...rectOf(place)} rx={5} />
          <TwoLines box={place} name={member.name} detail={member.detail} />
        </g>
      ))}
    </g>
  );
}

function BundleShape({
  bundle,
  onTurn,
}: {
  readonly bundle: BundleBox;
  readonly onTurn: (group: string) => void;
}): ReactElement {
  const { group, bridge, count } = bundle;
  return (
    <g {...buttonOf(() => onTurn(group.id))} tabIndex={0} data-tone="good" className={classes.card}>
      <rect {...rectOf(bundle)} rx={5} />
      <TwoLines box={bundle} name={`${count} patches`} detail={`to ${bridge}`} />
    </g>
  );
}

interface TwoLinesProps {
  readonly box: Box;
  readonly name: string;
  readonly detail: string;
}

function TwoLines({ box: { x, y, width }, name, detail }: TwoLinesProps): ReactElement {
  return (
    <>
      <text x={x + 9} y={y + 17} className={classes.name}>
        {fitText(name, width - 14, NAME_PX)}
      </text>
      <text x={x + 9} y={y + 32} className={classes.detail}>
        {fitText(detail, width - 14, DETAIL_PX)}
      </text>
    </>
  );
}

function rectOf({ x, y, width, height }: Box): Box {
  return { x, y, width, height };
}

/** What makes a part of a picture a button: a mouse, Enter and the space bar. */
function buttonOf(
  onPress: () => void,
  onOther: (event: KeyboardEvent) => void = () => undefined,
): { role: 'button'; onClick: () => void; onKeyDown: (event: KeyboardEvent) => void } {
  return {
    role: 'button',
    onClick: onPress,
    onKeyDown: (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return onOther(event);
      event.preventDefault();
      onPress();
    },
  };
}
