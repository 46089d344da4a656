/* boardgame.io's own server with its durable FlatFile store, as moves.py drives it (boardgame.py).

What the game is: four players in turn, one card a move, a state of about 1.3 KB as a client gets
it, hands stripped by `playerView` as boardgame.io's guide has it, the latest four tricks kept so that
its size stays, and the legal moves for whoever is to move.
What it is not: no rules of ours (any card of the hand, which never shrinks), no rounds, no end, no credentials,
no clocks, no presence of our kind. A move out of turn or on a stale state is refused, as always there. */
"use strict";

process.env.NODE_ENV = "production";
const { Server, FlatFile, Origins } = require("boardgame.io/server");

const HANDS = [
  ["2233", "3211", "3232", "3311"], ["1212", "1213", "3122", "3133"],
  ["1232", "2231", "3121", "3312"], ["1112", "1131", "3222", "3323"],
];
const NAMES = ["Lunar Chime", "Comfy Parcel", "Galactic Mantis", "Direct Treetop"];
const TRICK = { leader: 0, call: "2-star", plays: [[0, "3322"], [1, "2313"], [2, "1332"], [3, "2312"]], winner: 0 };

const game = {
  name: "tricks",
  disableUndo: true, // else every state would hold the one before it
  setup: () => ({
    players: NAMES.map((name) => ({ name, kind: "person", away: false })),
    bids: [2, 2, 1, 4],
    taken: [2, 1, 1, 0],
    totals: [0, 0, 0, 0],
    hands: HANDS,
    trick: { leader: 0, call: null, plays: [] },
    tricks: Array(4).fill(TRICK),
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID }, card) => {
      const seat = Number(playerID);
      G.trick.plays.push([seat, card]);
      if (G.trick.plays.length < NAMES.length) return;
      G.tricks.shift();
      G.tricks.push({ ...G.trick, call: "2-star", winner: seat });
      G.taken[seat] += 1;
      G.trick = { leader: 0, call: null, plays: [] };
    },
  },
  playerView: ({ G, ctx, playerID }) => {
    const { hands, ...open } = G;
    const hand = hands[playerID];
    return { ...open, hand, legal: playerID === ctx.currentPlayer ? hand : [] };
  },
};

const db = new FlatFile({ dir: process.env.BOARDGAME_FOLDER });
Server({ games: [game], db, origins: [Origins.LOCALHOST] }).run(Number(process.env.PORT));
