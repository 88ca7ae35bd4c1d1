//! Circles in a directed graph of numbered nodes.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The groups of nodes that reach each other, each in ascending order.
pub(super) fn circles(edges: &BTreeSet<(usize, usize)>) -> Vec<Vec<usize>> {
    let reached: BTreeMap<usize, BTreeSet<usize>> = edges
        .iter()
        .map(|&(from, _)| (from, reachable(edges, from)))
        .collect();
    let reaches = |from: usize, to: usize| reached.get(&from).is_some_and(|all| all.contains(&to));
    let groups: BTreeSet<Vec<usize>> = reached
        .keys()
        .filter(|&&node| reaches(node, node))
        .map(|&node| {
            let group = reached[&node].iter().copied();
            group.filter(|&other| reaches(other, node)).collect()
        })
        .collect();
    groups.into_iter().collect()
}

/// A shortest way round from `node` through `group` and back; both ends are `node`.
pub(super) fn way_round(
    edges: &BTreeSet<(usize, usize)>,
    group: &[usize],
    node: usize,
) -> Vec<usize> {
    let mut ways = VecDeque::from([vec![node]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        let last = *way.last().unwrap();
        for &(_, next) in edges.range((last, 0)..=(last, usize::MAX)) {
            let mut longer = way.clone();
            longer.push(next);
            if next == node {
                return longer;
            }
            if group.contains(&next) && seen.insert(next) {
                ways.push_back(longer);
            }
        }
    }
    panic!("{node} is in no circle");
}

/// The nodes that at least one edge leads to, step by step from `node`.
fn reachable(edges: &BTreeSet<(usize, usize)>, node: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![node];
    while let Some(from) = open.pop() {
        for &(_, to) in edges.range((from, 0)..=(from, usize::MAX)) {
            if found.insert(to) {
                open.push(to);
            }
        }
    }
    found
}

#[test]
fn groups_that_reach_each_other_are_found() {
    let edges = |pairs: &[(usize, usize)]| pairs.iter().copied().collect();
    assert!(circles(&edges(&[(0, 1), (1, 2), (0, 2)])).is_empty());
    let two = edges(&[(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2), (4, 5)]);
    assert_eq!(circles(&two), [vec![0, 1], vec![2, 3, 4]]);
    assert_eq!(way_round(&two, &[2, 3, 4], 3), [3, 4, 2, 3]);
    // Two circles through one node are one group.
    let eight = edges(&[(0, 1), (1, 0), (1, 2), (2, 1)]);
    assert_eq!(circles(&eight), [vec![0, 1, 2]]);
    assert_eq!(way_round(&eight, &[0, 1, 2], 2), [2, 1, 2]);
}
