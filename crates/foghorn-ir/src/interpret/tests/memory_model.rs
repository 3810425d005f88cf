//! Random memory operations against a model that keeps every byte by itself.

use crate::interpret::indeterminate::name_of;
use crate::interpret::memory::Memory;
use crate::interpret::object::{Allocation, Birth, FLAT_LIMIT};
use crate::interpret::segment::{Cell, Fragment};
use crate::interpret::value::{ObjectId, ObjectKind, Pointer};
use foghorn_core::SpanId;
use proptest::prelude::*;

/// Bytes of each object that the operations touch.
const WINDOW: u64 = 40;

#[derive(Clone, Debug)]
enum Operation {
    Write {
        to: usize,
        at: u64,
        bytes: Vec<u8>,
    },
    Fill {
        to: usize,
        at: u64,
        length: u64,
        byte: u8,
    },
    Forget {
        to: usize,
        at: u64,
        length: u64,
    },
    Pointer {
        to: usize,
        at: u64,
        pointer: Pointer,
    },
    Copy {
        to: usize,
        at: u64,
        from: usize,
        source: u64,
        length: u64,
    },
}

fn operation() -> impl Strategy<Value = Operation> {
    let place = || (0..2_usize, 0..WINDOW - 8);
    let target = (1..4_u64, -3..3_i64).prop_map(|(object, offset)| Pointer {
        object: ObjectId(object << 30 | 77),
        offset,
    });
    prop_oneof![
        (place(), prop::collection::vec(any::<u8>(), 1..9))
            .prop_map(|((to, at), bytes)| Operation::Write { to, at, bytes }),
        (place(), 1..9_u64, any::<u8>()).prop_map(|((to, at), length, byte)| Operation::Fill {
            to,
            at,
            length,
            byte
        }),
        (place(), 1..9_u64).prop_map(|((to, at), length)| Operation::Forget { to, at, length }),
        (place(), target.clone(), any::<bool>()).prop_map(|((to, at), pointer, aligned)| {
            let at = if aligned { at & !7 } else { at };
            Operation::Pointer { to, at, pointer }
        }),
        (place(), place(), 1..20_u64).prop_map(|((to, at), (from, source), length)| {
            let length = length.min(WINDOW - at).min(WINDOW - source);
            Operation::Copy {
                to,
                at,
                from,
                source,
                length,
            }
        }),
    ]
}

/// What the memory must hold: every byte for itself.
struct Model {
    cells: [Vec<Cell>; 2],
    pointer_bytes: u64,
}

const EMPTY: Cell = Cell {
    byte: 0,
    initialised: false,
    fragment: None,
};

fn known(byte: u8) -> Cell {
    Cell {
        byte,
        initialised: true,
        fragment: None,
    }
}

impl Model {
    fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Write { to, at, bytes } => {
                for (place, &byte) in (*at as usize..).zip(bytes) {
                    self.cells[*to][place] = known(byte);
                }
            }
            Operation::Fill {
                to,
                at,
                length,
                byte,
            } => {
                self.cells[*to][*at as usize..(at + length) as usize].fill(known(*byte));
            }
            Operation::Forget { to, at, length } => {
                self.cells[*to][*at as usize..(at + length) as usize].fill(EMPTY);
            }
            Operation::Pointer { to, at, pointer } => {
                for index in 0..self.pointer_bytes {
                    let fragment = Fragment {
                        pointer: *pointer,
                        index: index as u8,
                    };
                    self.cells[*to][(at + index) as usize] = Cell {
                        byte: 0,
                        initialised: true,
                        fragment: Some(fragment),
                    };
                }
            }
            Operation::Copy {
                to,
                at,
                from,
                source,
                length,
            } => {
                let cells =
                    self.cells[*from][*source as usize..(source + length) as usize].to_vec();
                self.cells[*to][*at as usize..(at + length) as usize].copy_from_slice(&cells);
            }
        }
    }
}

struct Real {
    memory: Memory,
    objects: [ObjectId; 2],
    /// Where the window begins.
    start: u64,
}

impl Real {
    fn new(pointer_bytes: u32, size: u64, start: u64) -> Self {
        let mut memory = Memory::new(pointer_bytes, 0, 1 << 30);
        let birth = Birth {
            size,
            align: 8,
            allocation: Allocation::Arguments,
            span: SpanId::UNKNOWN,
            zeroed: false,
        };
        let objects = [(); 2].map(|()| memory.allocate(ObjectKind::Heap, &birth).expect("room"));
        Real {
            memory,
            objects,
            start,
        }
    }

    fn apply(&mut self, operation: &Operation) {
        let start = self.start;
        match operation {
            Operation::Write { to, at, bytes } => {
                self.memory.write(self.objects[*to], start + at, bytes);
            }
            Operation::Fill {
                to,
                at,
                length,
                byte,
            } => {
                self.memory
                    .fill(self.objects[*to], start + at, *length, *byte);
            }
            Operation::Forget { to, at, length } => {
                self.memory.forget(self.objects[*to], start + at, *length);
            }
            Operation::Pointer { to, at, pointer } => {
                self.memory
                    .write_pointer(self.objects[*to], start + at, *pointer);
            }
            Operation::Copy {
                to,
                at,
                from,
                source,
                length,
            } => self.memory.copy(
                (self.objects[*to], start + at),
                (self.objects[*from], start + source),
                *length,
            ),
        }
    }
}

/// The two agree on every byte, and what the memory says of ranges follows from the bytes.
fn compare(real: &Real, model: &Model) {
    let length = model.pointer_bytes as usize;
    for (&id, cells) in real.objects.iter().zip(&model.cells) {
        for (at, expected) in (real.start..).zip(cells) {
            let cell = real.memory.cell(id, at);
            // Bytes without a value may have got a name when they were copied.
            let is_named = name_of(&cell).is_some();
            let initialised = cell.initialised && !is_named;
            assert_eq!(initialised, expected.initialised, "at {at}");
            let fragment = cell.fragment.filter(|_| !is_named);
            assert_eq!(fragment, expected.fragment, "at {at}");
            if initialised && fragment.is_none() {
                assert_eq!(cell.byte, expected.byte, "at {at}");
            }
        }
        for (at, range) in (real.start..).zip(cells.windows(length)) {
            let plain = range
                .iter()
                .all(|cell| cell.initialised && cell.fragment.is_none());
            let bytes = real.memory.plain_bytes(id, at, length);
            // A range over two pages goes the slow way.
            assert!(bytes.is_none() || plain, "at {at}");
            assert!(bytes.is_some() || !plain || real.start > 0, "at {at}");
            let pointer = range[0].fragment.map(|first| first.pointer);
            let whole = (0..).zip(range).all(|(index, cell)| {
                cell.fragment.map(|part| (Some(part.pointer), part.index)) == Some((pointer, index))
            });
            let aligned = at.is_multiple_of(length as u64);
            let expected = pointer.filter(|_| whole && aligned);
            assert_eq!(real.memory.whole_pointer(id, at), expected, "at {at}");
        }
        let object = real.memory.object(id).expect("alive");
        let plain = cells
            .iter()
            .all(|cell| cell.initialised && cell.fragment.is_none());
        assert_eq!(object.plain_load, plain && real.start == 0);
        let mut referenced = object.referenced();
        referenced.dedup();
        for cell in cells.iter().filter_map(|cell| cell.fragment) {
            assert!(referenced.contains(&cell.pointer.object));
        }
    }
}

fn check(operations: &[Operation], pointer_bytes: u32, size: u64, start: u64) {
    let mut real = Real::new(pointer_bytes, size, start);
    let mut model = Model {
        cells: [vec![EMPTY; WINDOW as usize], vec![EMPTY; WINDOW as usize]],
        pointer_bytes: pointer_bytes.into(),
    };
    for operation in operations {
        real.apply(operation);
        model.apply(operation);
        compare(&real, &model);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn memory_keeps_every_byte(operations in prop::collection::vec(operation(), 1..40)) {
        check(&operations, 8, WINDOW, 0);
        check(&operations, 4, WINDOW, 0);
    }

    #[test]
    fn paged_memory_keeps_every_byte(operations in prop::collection::vec(operation(), 1..40)) {
        check(&operations, 8, FLAT_LIMIT + 1, (1 << 16) - 16);
    }
}
