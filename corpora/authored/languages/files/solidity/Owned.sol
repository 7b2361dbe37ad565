// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IOwned {
    function ownerOf() external view returns (address);
}

library Addresses {
    function isZero(address a) internal pure returns (bool) {
        return a == address(0);
    }
}

abstract contract Owned is IOwned {
    address private owner;

    error NotOwner(address caller);

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    constructor() {
        owner = msg.sender;
    }

    function ownerOf() external view returns (address) {
        return Addresses.isZero(owner) ? address(this) : owner;
    }
}
