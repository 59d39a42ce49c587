// Where things lie around a poker table, in percent of the stage.

/** @typedef {{x: number, y: number, bx: number, by: number}} Place a seat, and its bet */

/**
 * The places of n seats; the first is nearest to the viewer, then clockwise.
 * @param {number} n @param {boolean} tall whether the stage is higher than wide
 * @returns {Place[]}
 */
export function ring(n, tall) {
  const [cx, cy, rx, ry] = tall ? [50, 53.5, 37.5, 38] : [50, 55, 42.5, 35.5];
  const [wide, high] = tall ? [0.78, 0.95] : [0.86, 0.9]; // a little squarer than an ellipse
  const [near, down, lift] = tall ? [0.5, 0.62, 5] : [0.63, 0.56, 6];
  return Array.from({ length: n }, (_, k) => {
    const angle = Math.PI / 2 + (k * 2 * Math.PI) / n;
    const cos = Math.sign(Math.cos(angle)) * Math.abs(Math.cos(angle)) ** wide;
    const sin = Math.sign(Math.sin(angle)) * Math.abs(Math.sin(angle)) ** high;
    const place = {
      x: cx + rx * cos,
      y: cy + ry * sin,
      bx: cx + rx * near * cos,
      by: cy - lift + ry * down * sin,
    };
    if (tall && isCrowded(n)) {
      [place.bx, place.by] = crowdedBet(place);
    } else if (isFarthest(place)) {
      // Right above the pots a bet lies beside its seat.
      place.bx = place.x + (tall ? 18.5 : 13);
      place.by = place.y + (tall ? 4 : 5);
    } else if (isNearest(place)) {
      // Nor does it hide behind the cards of who sits nearest.
      place.by = tall ? 62 : 62.5;
    }
    return place;
  });
}

/** Whether so many sit there that on a narrow table a bet is no more than its amount. @param {number} n */
export function isCrowded(n) {
  return n > 6;
}

/** Towards the middle, from a place. @param {Place} at */
const inwards = (at) => (at.x < 50 ? 1 : -1);

/** Between plates, cards and board there is a line for the amount. @param {Place} at @returns {[number, number]} */
function crowdedBet(at) {
  if (isNearest(at)) return [50, 62];
  if (isFarthest(at)) return [58.5, 27];
  if (at.y < 30) return [50 + (at.x - 50) * 0.5, at.y + 10.3];
  if (at.y < 50) return [at.x + inwards(at) * 18, at.y + 1.2];
  if (at.y <= 70) return [at.x + inwards(at) * 18.6, Math.max(at.y, 60.2)];
  return [50 + (at.x - 50) * 0.45, 69];
}

/** Where the button has room beside the plates of a crowded table. @param {Place} at @returns {[number, number]} */
function crowdedButton(at) {
  if (isNearest(at)) return [65.8, 91.5];
  if (isFarthest(at)) return [50, 26];
  if (at.y < 30) return [at.x - inwards(at) * 2.8, at.y + 9.3];
  if (at.y < 50) return [at.x - inwards(at) * 8, at.y + 11.7];
  if (at.y <= 70) return [at.x + inwards(at) * 15, at.y + 4.3];
  return [at.x - inwards(at) * 14, at.y + 7.5];
}

/** Where the dealer button stands for a seat, of so many. @param {Place} at @param {boolean} tall @param {number} n
 * @returns {[number, number]} */
export function buttonPlace(at, tall, n) {
  if (tall && isCrowded(n)) return crowdedButton(at);
  if (isNearest(at)) return [at.x + (tall ? 20 : 10), at.y - 7];
  if (isFarthest(at)) return [at.x - (tall ? 19 : 10), at.y + 5];
  // On a narrow table the board reaches under the upper seats: there it stands at the rim, below
  // what is marked at the seat.
  if (at.y < 50 && tall) return [at.x - inwards(at) * 8, at.y + 14.5];
  // The bets of the two who sit highest lie on the inner side.
  if (at.y < 50) return [at.x + inwards(at) * (at.y < 25 ? -7 : 7), at.y + 9.5];
  return [at.x + inwards(at) * (tall ? 14.6 : 9.5), at.y - 2];
}

/** Whether it is the place of who looks at the table. @param {Place} at */
export function isNearest(at) {
  return at.y > 75 && Math.abs(at.x - 50) < 5;
}

/** Whether it is the place opposite. @param {Place} at */
export function isFarthest(at) {
  return at.y < 30 && Math.abs(at.x - 50) < 12;
}
