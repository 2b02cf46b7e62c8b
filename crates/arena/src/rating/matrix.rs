//! Small dense symmetric matrices.

/// A symmetric matrix, stored in full, row by row.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    /// All zero.
    pub fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    /// Adds to one cell; the caller keeps the matrix symmetric.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// Adds `weight * direction * direction^T`, for a sparse direction.
    pub fn add_outer(&mut self, direction: &[(usize, f64)], weight: f64) {
        for &(row, a) in direction {
            for &(column, b) in direction {
                self.add(row, column, weight * a * b);
            }
        }
    }

    /// The matrix with its diagonal scaled by `1 + part`.
    pub fn with_diagonal(&self, part: f64) -> Matrix {
        let mut matrix = self.clone();
        for index in 0..self.size {
            matrix.add(index, index, part * self.get(index, index));
        }
        matrix
    }

    /// `vector^T self vector`.
    pub fn quadratic_form(&self, vector: &[f64]) -> f64 {
        let rows = self.cells.chunks(self.size.max(1)).zip(vector);
        rows.map(|(row, x)| x * row.iter().zip(vector).map(|(a, y)| a * y).sum::<f64>()).sum()
    }

    /// The lower triangle `L` of `self = L L^T` (Cholesky); `None` if not positive definite.
    fn cholesky(&self) -> Option<Matrix> {
        let mut lower = Matrix::zero(self.size);
        for row in 0..self.size {
            for column in 0..=row {
                let known: f64 =
                    (0..column).map(|k| lower.get(row, k) * lower.get(column, k)).sum();
                let rest = self.get(row, column) - known;
                let value = if row == column {
                    if rest.is_nan() || rest <= f64::EPSILON * self.get(row, row).abs() {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / lower.get(column, column)
                };
                lower.add(row, column, value);
            }
        }
        Some(lower)
    }

    /// Solves `L L^T x = right`.
    fn solve_factored(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for row in 0..self.size {
            let known: f64 = (0..row).map(|k| self.get(row, k) * x[k]).sum();
            x[row] = (x[row] - known) / self.get(row, row);
        }
        for row in (0..self.size).rev() {
            let known: f64 = (row + 1..self.size).map(|k| self.get(k, row) * x[k]).sum();
            x[row] = (x[row] - known) / self.get(row, row);
        }
        x
    }

    /// The `x` of `self x = right`; `None` if the matrix is not positive definite.
    pub fn solve(&self, right: &[f64]) -> Option<Vec<f64>> {
        Some(self.cholesky()?.solve_factored(right))
    }

    /// The inverse; `None` if the matrix is not positive definite.
    pub fn inverse(&self) -> Option<Matrix> {
        let lower = self.cholesky()?;
        let mut cells = Vec::with_capacity(self.cells.len());
        for column in 0..self.size {
            let mut unit = vec![0.0; self.size];
            unit[column] = 1.0;
            cells.extend(lower.solve_factored(&unit));
        }
        Some(Matrix { size: self.size, cells })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: [[f64; 3]; 3]) -> Matrix {
        Matrix { size: 3, cells: rows.concat() }
    }

    #[test]
    fn the_inverse_is_the_inverse() {
        let original = matrix([[4.0, 2.0, -1.0], [2.0, 5.0, 0.5], [-1.0, 0.5, 3.0]]);
        let inverse = original.inverse().unwrap();
        for row in 0..3 {
            for column in 0..3 {
                let cell: f64 = (0..3).map(|k| original.get(row, k) * inverse.get(k, column)).sum();
                assert!((cell - f64::from(u8::from(row == column))).abs() < 1e-12);
            }
        }
        let x = original.solve(&[1.0, 2.0, 3.0]).unwrap();
        assert!((4.0 * x[0] + 2.0 * x[1] - x[2] - 1.0).abs() < 1e-12);
        assert!((original.quadratic_form(&[1.0, 0.0, 2.0]) - 12.0).abs() < 1e-12);
    }

    #[test]
    fn what_cannot_be_inverted_is_refused() {
        assert!(matrix([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).inverse().is_none());
        assert!(matrix([[f64::NAN; 3]; 3]).solve(&[0.0; 3]).is_none());
        assert!(Matrix::zero(0).inverse().is_some());
    }
}
