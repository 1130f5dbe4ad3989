//! Known answers and attacks, in one binary.

#[cfg(test)]
mod attacks;
#[cfg(test)]
mod command;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod frozen_logs;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod key_attacks;
#[cfg(test)]
mod mutations;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod outcome;
#[cfg(test)]
mod receipt_v1;
#[cfg(test)]
mod stolen_keys;
#[cfg(test)]
mod vectors;
