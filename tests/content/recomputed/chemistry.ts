const r = (x: number, d = 6): number => Number(x.toFixed(d))
const g = (a: number, b: number): number => (b === 0 ? a : g(b, a % b))
const ratio = (a: number, b: number): string => {
  const k = 1000
  const x = Math.round(a * k)
  const y = Math.round(b * k)
  const d = g(x, y)
  return `${x / d}∶${y / d}`
}
const H = 1
const C = 12
const O = 16
const S = 32
const VM = 22.4
const gramsO2PerMol = 2 * O

// chem_0041: carbon trees with n atoms and degree at most 4, counted by canonical forms
const alkanes = (n: number): number => {
  const canon = (adj: number[][], v: number, p: number): string =>
    `(${(adj[v] ?? [])
      .filter((w) => w !== p)
      .map((w) => canon(adj, w, v))
      .sort()
      .join('')})`
  const key = (adj: number[][]): string => adj.map((_, v) => canon(adj, v, -1)).sort()[0] ?? ''
  let level = new Map<string, number[][]>([['()', [[]]]])
  for (let m = 1; m < n; m++) {
    const next = new Map<string, number[][]>()
    for (const adj of level.values()) {
      adj.forEach((nb, v) => {
        if (nb.length >= 4) return
        const grown = adj.map((x, i) => (i === v ? [...x, m] : [...x]))
        grown.push([v])
        next.set(key(grown), grown)
      })
    }
    level = next
  }
  return level.size
}

export const chemistry = {
  // moles of the quantity claimed to equal N_A; the liquid water is given by density 1 g/mL
  chem_0005: () => {
    const claims: [string, number][] = [
      ['标准状况下，22.4 L 水所含的分子数为 $N_{\\mathrm A}$', (22.4 * 1000) / (2 * H + O)],
      ['常温常压下，32 g 氧气所含的氧原子数为 $N_{\\mathrm A}$', (32 / gramsO2PerMol) * 2],
      ['1 L 1 mol/L 的碳酸钠溶液中，$\\mathrm{Na^+}$ 的数目为 $N_{\\mathrm A}$', 1 * 1 * 2],
      ['23 g 金属钠与足量水完全反应，转移的电子数为 $N_{\\mathrm A}$', (23 / 23) * 1],
    ]
    return claims
      .filter(([, n]) => r(n) === 1)
      .map(([t]) => t)
      .join('|')
  },
  chem_0006: () => `${r((1000 * 1.84 * 0.98) / 98)} mol/L`,
  chem_0007: () => [String(16 / gramsO2PerMol), String(r((16 / gramsO2PerMol) * VM))],
  chem_0008: () => {
    const c = (0.1 * 3) / 0.5
    return [String(r(c)), String(r((c * 50) / 200))]
  },
  chem_0009: () => {
    const mO2 = 2 * O
    const mSO2 = S + 2 * O
    const nA = 1 / mO2
    const nB = 1 / mSO2
    const n = ratio(nA / nB, 1)
    const claims: [string, string, string][] = [
      ['体积之比为', '1∶1', n],
      ['分子数之比为', '2∶1', n],
      ['密度之比为', '1∶2', ratio(mO2, mSO2)],
      ['氧原子数之比为', '2∶1', ratio((nA * 2) / (nB * 2), 1)],
    ]
    return claims.filter(([, said, real]) => said === real).map(([t, , real]) => `${t} ${real}`)
  },
  chem_0013: () => {
    // Cl(+5) -> 0 takes 5 e; Cl(-1) -> 0 gives 1 e; 3 Cl2 hold 6 Cl atoms
    const reducedCl = 1
    const oxidisedCl = 5 * reducedCl
    const electrons = oxidisedCl
    const said = 6
    if (electrons === said) return `每生成 3 mol $\\mathrm{Cl_2}$，转移 ${electrons} mol 电子`
    return `氧化产物与还原产物的物质的量之比为 ${ratio(oxidisedCl / 2, reducedCl / 2)}`
  },
  chem_0015: () => {
    const cu = 3
    const electrons = cu * 2
    return [String(electrons / (5 - 2)), String(electrons)]
  },
  chem_0016: () => String(37 - 17),
  chem_0020: () => {
    // RH3: lowest valence 3, highest 8 - 3 = 5, oxide R2O5
    const w = 0.259
    const oxygen = 5 * O
    const mass = Math.round((w * oxygen) / (1 - w) / 2)
    const z = mass / 2 // the light element has as many protons as neutrons; group 15 then fixes it
    const period = z <= 2 ? 1 : z <= 10 ? 2 : 3
    return [String(mass), ['', '一', '二', '三'][period] ?? '']
  },
  chem_0021: () => {
    const h = r(-393.5 - -283.0)
    return `$${h > 0 ? '+' : ''}${h.toFixed(1)}\\ \\mathrm{kJ/mol}$`
  },
  chem_0024: () => [String(r((0.2 / 2) * 64)), String(r((0.2 / 4) * VM))],
  chem_0025: () => `${r(((0.8 / 2 / 2) * 3) / 2)} mol/(L·min)`,
  chem_0029: () => {
    const start = 2
    const x = 1.2
    const v = 2
    const rest = (start - x) / v
    const made = x / v
    return [String(r((x / start) * 100)), String(r((made * made) / (rest * rest)))]
  },
  chem_0030: () => String(r(-Math.log10((20 * 0.12 - 20 * 0.1) / 40), 3)),
  chem_0032: () => {
    const oh = 0.005 * 2
    const ph = (c: number): string => String(r(14 + Math.log10(c), 3))
    return [ph(oh), ph(oh / 100)]
  },
  chem_0041: () => String(alkanes(5)),
  chem_0045: () => {
    const n = 0.1
    return [String(r(13.2 / (C + 2 * O) / n)), String(r(((7.2 / (2 * H + O)) * 2) / n))]
  },
  chem_0051_3: () => `${(40 / 120).toFixed(2)} mL/s`,
  chem_0051_5: () => `${r((3.4 / (2 * H + 2 * O) / 2) * gramsO2PerMol)} g`,
} satisfies Record<string, () => string | string[]>
