//! A genetic algorithm over strings of bits (Holland 1975): selection by fitness, crossover and mutation.

use ludus_core::Random;

/// A string of bits.
pub type Genome = Vec<bool>;

/// The selection of parents.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ParentSelection {
    /// Tournament selection: the fittest of this many, drawn at random.
    Tournament(usize),
    /// Roulette-wheel selection: with a probability proportional to fitness.
    Roulette,
}

/// The parameters of a new generation.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Breeding {
    /// The selection of parents.
    pub selection: ParentSelection,
    /// Probability of one-point crossover of two parents; otherwise a child copies one of them.
    pub crossover: f64,
    /// Probability of mutation of each bit of a child.
    pub mutation: f64,
    /// Elitism: number of the fittest that survive unchanged.
    pub elite: usize,
    /// Smallest number of bits that are on in a child; missing ones are turned on at random.
    pub least: usize,
}

/// A member of a generation.
#[derive(Clone, Debug, PartialEq)]
pub struct Individual {
    /// Its bits.
    pub genome: Genome,
    /// Its fitness, never negative.
    pub fitness: f64,
}

/// The fittest of a generation, the first of equals.
///
/// # Panics
/// If there is none.
pub fn fittest(generation: &[Individual]) -> &Individual {
    by_fitness(generation)[0]
}

fn by_fitness(generation: &[Individual]) -> Vec<&Individual> {
    let mut order: Vec<&Individual> = generation.iter().collect();
    order.sort_by(|one, other| other.fitness.total_cmp(&one.fitness));
    order
}

impl Breeding {
    /// A first generation of `count` genomes of `genes` bits, each on or off by chance.
    pub fn first(&self, count: usize, genes: usize, random: &mut Random) -> Vec<Genome> {
        let mut genome = || {
            let mut genome = (0..genes).map(|_| random.below(2) == 1).collect();
            self.complete(&mut genome, random);
            genome
        };
        (0..count).map(|_| genome()).collect()
    }

    /// The generation after this one, as large, the elite first.
    pub fn next(&self, generation: &[Individual], random: &mut Random) -> Vec<Genome> {
        let elite = by_fitness(generation).into_iter().take(self.elite);
        let mut next: Vec<Genome> = elite.map(|one| one.genome.clone()).collect();
        while next.len() < generation.len() {
            next.push(self.child(generation, random));
        }
        next
    }

    fn child(&self, generation: &[Individual], random: &mut Random) -> Genome {
        let [mother, father] = [(); 2].map(|()| &self.parent(generation, random).genome);
        let mut child = mother.clone();
        if random.unit() < self.crossover {
            let cut = random.below(child.len() + 1);
            child[cut..].copy_from_slice(&father[cut..]);
        }
        for bit in &mut child {
            *bit ^= random.unit() < self.mutation;
        }
        self.complete(&mut child, random);
        child
    }

    fn parent<'a>(&self, generation: &'a [Individual], random: &mut Random) -> &'a Individual {
        match self.selection {
            ParentSelection::Tournament(size) => {
                let drawn = (0..size.max(1)).map(|_| &generation[random.below(generation.len())]);
                let fitter = |best: &'a Individual, other: &'a Individual| {
                    if other.fitness > best.fitness { other } else { best }
                };
                drawn.reduce(fitter).expect("at least one is drawn")
            }
            ParentSelection::Roulette => {
                let total: f64 = generation.iter().map(|one| one.fitness).sum();
                let mut ball = random.unit() * total;
                let stops = generation.iter().find(|one| {
                    ball -= one.fitness;
                    ball < 0.0
                });
                // Without any fitness all are equally likely.
                stops.unwrap_or_else(|| &generation[random.below(generation.len())])
            }
        }
    }

    fn complete(&self, genome: &mut Genome, random: &mut Random) {
        let mut off: Vec<usize> = (0..genome.len()).filter(|&gene| !genome[gene]).collect();
        random.shuffle(&mut off);
        let missing = (off.len() + self.least).saturating_sub(genome.len());
        off.into_iter().take(missing).for_each(|gene| genome[gene] = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BREEDING: Breeding = Breeding {
        selection: ParentSelection::Tournament(3),
        crossover: 0.9,
        mutation: 0.02,
        elite: 2,
        least: 1,
    };

    fn count(genome: &Genome) -> usize {
        genome.iter().filter(|&&bit| bit).count()
    }

    fn judged(genomes: Vec<Genome>, fitness: fn(&Genome) -> f64) -> Vec<Individual> {
        let judge = |genome: Genome| Individual { fitness: fitness(&genome), genome };
        genomes.into_iter().map(judge).collect()
    }

    /// As many bits on as possible, and every other one off: both are found.
    #[test]
    fn simple_problems_are_solved() {
        fn all(genome: &Genome) -> f64 {
            count(genome) as f64
        }
        fn alternating(genome: &Genome) -> f64 {
            let right = genome.iter().enumerate().filter(|(at, bit)| **bit == (at % 2 == 0));
            // Squared, for a wheel on which all have nearly the same room chooses hardly at all.
            (right.count() as f64).powi(2)
        }
        for selection in [ParentSelection::Tournament(3), ParentSelection::Roulette] {
            for (fitness, best) in [(all as fn(&Genome) -> f64, 32.0), (alternating, 1024.0)] {
                let breeding = Breeding { selection, ..BREEDING };
                let mut random = Random::new(1);
                let mut generation = judged(breeding.first(40, 32, &mut random), fitness);
                let begin = fittest(&generation).fitness;
                for _ in 0..150 {
                    generation = judged(breeding.next(&generation, &mut random), fitness);
                }
                let found = fittest(&generation).fitness;
                assert!(begin < 0.9 * best && found == best, "{selection:?}: {begin}, {found}");
            }
        }
    }

    #[test]
    fn the_elite_survives_and_every_genome_has_enough_bits() {
        let breeding = Breeding { least: 5, mutation: 0.5, ..BREEDING };
        let mut random = Random::new(2);
        let mut genomes = breeding.first(20, 12, &mut random);
        for _ in 0..50 {
            assert!(genomes.len() == 20 && genomes.iter().all(|one| count(one) >= 5));
            let generation = judged(genomes, |genome| (count(genome) % 7) as f64);
            let best = fittest(&generation).genome.clone();
            genomes = breeding.next(&generation, &mut random);
            assert_eq!(genomes[0], best);
        }
    }

    #[test]
    fn the_fitter_have_more_children() {
        let one = |on: bool, fitness| Individual { genome: vec![on; 8], fitness };
        let generation = [one(false, 1.0), one(true, 3.0)];
        for (selection, least, most) in
            [(ParentSelection::Roulette, 720, 780), (ParentSelection::Tournament(2), 720, 780)]
        {
            let breeding = Breeding { selection, crossover: 0.0, mutation: 0.0, ..BREEDING };
            let breeding = Breeding { elite: 0, least: 0, ..breeding };
            let mut random = Random::new(3);
            let on = (0..1000).filter(|_| breeding.child(&generation, &mut random)[0]).count();
            assert!((least..most).contains(&on), "{selection:?}: {on}");
        }
        let unfit = [one(false, 0.0), one(true, 0.0)];
        let roulette = Breeding { selection: ParentSelection::Roulette, elite: 0, ..BREEDING };
        assert_eq!(roulette.next(&unfit, &mut Random::new(4)).len(), 2);
    }
}
